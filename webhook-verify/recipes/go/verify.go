// Package webhook verifies webhook deliveries of the localization service, with nothing but the standard library.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

const (
	maxHeaderBytes = 4096
	maxSignatures  = 16
)

// What can be wrong with a delivery.
var (
	ErrHeader    = errors.New("webhook: the X-Service-Signature header is missing, repeated or malformed")
	ErrTime      = errors.New("webhook: signed too far from now; see that this machine's clock is right")
	ErrSignature = errors.New("webhook: no signature is right; see that the secret is whole and the body as it was received")
	ErrSecret    = errors.New("webhook: a secret is a whole whsec_... string")
)

// Verify returns when the delivery was signed, in Unix seconds. Header is the only value of X-Service-Signature (refuse a
// request with several: http.Header.Get takes the first), body the bytes of the request as they were received
// (io.ReadAll of an http.MaxBytesReader), before anything parses them. Secrets are the whole whsec_... strings; two while
// a secret is rotated.
func Verify(header string, body []byte, secrets []string, now time.Time, tolerance time.Duration) (int64, error) {
	for _, secret := range secrets {
		if !strings.HasPrefix(secret, "whsec_") {
			return 0, ErrSecret
		}
	}
	if len(secrets) == 0 {
		return 0, ErrSecret
	}
	if header == "" || len(header) > maxHeaderBytes {
		return 0, ErrHeader
	}
	for i := 0; i < len(header); i++ {
		if header[i] < '!' || header[i] > '~' {
			return 0, ErrHeader
		}
	}
	written, signatures := "", []string{}
	for _, part := range strings.Split(header, ",") {
		scheme, value, found := strings.Cut(part, "=")
		switch {
		case !found || scheme == "" || (scheme == "t" && written != ""):
			return 0, ErrHeader
		case scheme == "t":
			written = value
			if value == "" {
				return 0, ErrHeader
			}
		case scheme == "v1":
			signatures = append(signatures, value)
		}
	}
	t, err := strconv.ParseInt(written, 10, 64)
	// One spelling of a number alone: ParseInt takes signs and leading zeros.
	if err != nil || t < 0 || strconv.FormatInt(t, 10) != written {
		return 0, ErrHeader
	}
	if len(signatures) < 1 || len(signatures) > maxSignatures {
		return 0, ErrHeader
	}
	// Whole seconds, and in both directions; written so that no difference overflows.
	seconds := int64(tolerance / time.Second)
	if t < now.Unix()-seconds || t > now.Unix()+seconds {
		return 0, ErrTime
	}
	accepted := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(written + "."))
		mac.Write(body)
		right := []byte(hex.EncodeToString(mac.Sum(nil)))
		for _, signature := range signatures {
			accepted = hmac.Equal(right, []byte(signature)) || accepted
		}
	}
	if !accepted {
		return 0, ErrSignature
	}
	return t, nil
}
