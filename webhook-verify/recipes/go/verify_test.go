package webhook

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../../vectors/signature.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		NumberOfTests int
		Tests         []struct {
			TcID      int
			Comment   string
			Header    string
			BodyHex   string `json:"body_hex"`
			Secrets   []string
			Now       int64
			Tolerance int64
			Result    string
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Tests) == 0 || len(vectors.Tests) != vectors.NumberOfTests {
		t.Fatalf("%d of %d vectors", len(vectors.Tests), vectors.NumberOfTests)
	}
	for _, vector := range vectors.Tests {
		body, err := hex.DecodeString(vector.BodyHex)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := time.Duration(vector.Tolerance) * time.Second
		_, err = Verify(vector.Header, body, vector.Secrets, time.Unix(vector.Now, 0), tolerance)
		if vector.Result != "acceptable" && (err == nil) != (vector.Result == "valid") {
			t.Errorf("%d %s: %v, and is %s", vector.TcID, vector.Comment, err, vector.Result)
		}
	}
}
