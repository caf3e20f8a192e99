// Passes requests on to a server of the agent protocol with an API key, and changes nothing else: the conformance suite sends none.
//   L10N_API_KEY=eik_… node mcp_key.mjs http://127.0.0.1:8788/mcp
import http from "node:http";

const { hostname, port } = new URL(process.argv[2]);
const key = process.env.L10N_API_KEY;

const server = http.createServer((asked, answer) => {
  const headers = [...asked.rawHeaders, "Authorization", `Bearer ${key}`];
  const passed = http.request({ hostname, port, method: asked.method, path: asked.url, headers }, (got) => {
    answer.writeHead(got.statusCode, got.rawHeaders);
    got.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
