import { expect, test } from "bun:test";
import { memoryGround, worldOn } from "../support/world.ts";

const { app } = worldOn(memoryGround());

test.each([
  [undefined, "/en/profile"],
  ["de-CH,de;q=0.9,en;q=0.8", "/de/profile"],
])(
  "the well-known address for changing a password leads to the profile (Accept-Language: %s)",
  async (accepted, to) => {
    const headers = accepted === undefined ? undefined : { "Accept-Language": accepted };
    const answer = await app.request("/.well-known/change-password", headers && { headers });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, to]);
  },
);

test("a name there that means nothing does not exist, so that password managers trust the others", async () => {
  const path = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
  expect((await app.request(path)).status).toBe(404);
});
