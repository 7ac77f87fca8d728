import { describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { securityTxt } from "../../src/http/security_txt.ts";
import { memoryGround, worldOn } from "../support/world.ts";

const NOW = new Date("2026-11-22T09:30:00.000Z");
const PATH = "/.well-known/security.txt";

function appOf(supportEmail: string) {
  return new Hono().route("/", securityTxt({ supportEmail, publicUrl: "https://breachbell.example", now: () => NOW }));
}

describe("/.well-known/security.txt", () => {
  test("contains the operator's address, its expiry, the languages and its canonical URL", async () => {
    const answer = await appOf("security@breachbell.example").request(PATH);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=UTF-8");
    expect(await answer.text()).toBe(
      [
        "Contact: mailto:security@breachbell.example",
        "Expires: 2027-05-21T00:00:00.000Z",
        "Preferred-Languages: en, fr, de, it, es, pt",
        "Canonical: https://breachbell.example/.well-known/security.txt",
        "",
      ].join("\n"),
    );
  });

  test("is missing if nobody would read the mails", async () => {
    expect((await appOf("support@localhost.localdomain").request(PATH)).status).toBe(404);
  });

  test("is part of the product, with its headers, and read-only", async () => {
    const { app } = worldOn(memoryGround());
    const answer = await app.request(PATH);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^Contact: mailto:\S+@\S+\nExpires: \d{4}-/);
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect((await app.request(PATH, { method: "POST" })).status).toBe(404);
  });
});
