// The baseline of the login's document: bare Hono with that page, static, and nothing else.
import { Hono } from "hono";

const [port = "0", file = ""] = process.argv.slice(2);
const page = await Bun.file(file).bytes();
const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip" };
const app = new Hono().get("/en/login", (c) => c.body(page, 200, headers));
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: app.fetch });
console.log("ready");
