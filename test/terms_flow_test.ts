import { expect, test } from "bun:test";
import { TERMS } from "../src/shared/terms.ts";
import { aBreach } from "./support/builders.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./support/world.ts";

const EMAIL = "alice@breachbell.example";
const OWN = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };

/** Alice registered while older terms were in force, and has not been asked yet. */
async function unanswered() {
  const ground = memoryGround();
  const adapters = adaptersOn(ground);
  const world = { ...composed(adapters), adapters };
  const passwords = { password: "Tranquil-Harbour-42", confirmPassword: "Tranquil-Harbour-42" };
  const body = {
    firstName: "Alice",
    lastName: "Meyer",
    language: "en",
    terms: true,
    termsVersion: "1.0",
    ...passwords,
  };
  const register = { method: "POST", headers: OWN, body: JSON.stringify({ ...body, email: EMAIL }) };
  expect((await world.app.request("/api/register", register)).status).toBe(201);
  // Verified, so that the following registration is refused and only logs in.
  await world.adapters.transactions.identity(async ({ users }) => {
    const user = await users.findByEmail(EMAIL);
    await users.markVerified(user?.id ?? "", world.adapters.system.now());
  });
  const call = await signedUp(world, EMAIL);
  const json = async (path: string) => (await (await call("GET", path)).json()) as Record<string, unknown>;
  return { ground, world, call, json };
}

test("nobody misses an alert or a page while the new terms are not accepted", async () => {
  const { ground, world, call, json } = await unanswered();
  expect(await json("/api/me")).toMatchObject({ terms: { current: TERMS.version, accepted: null } });
  const tracked = { address: EMAIL, owner: true, language: "en", contacts: { email: [EMAIL] } };
  expect((await call("POST", "/api/associations", tracked)).status).toBe(201);
  await world.breaches.syncCatalogue();
  await settle(world);

  ground.feed.publish(aBreach());
  ground.feed.expose(EMAIL, "Adobe");
  await world.breaches.syncCatalogue();
  await settle(world);
  const alerts = ground.sender.sent.filter(({ kind }) => kind === "alert");
  expect(alerts.map(({ to }) => to.value)).toEqual([EMAIL]);

  expect(await json("/api/check-user-authentication/")).toEqual({ auth_level: "authenticated" });
  expect(await json("/api/check-subscription/")).toEqual({ status: "trial" });
  expect(await json("/api/check-aggiungere-email/")).toEqual({ can_add_more: true });
  expect(await json("/api/alerts")).toMatchObject({ total: 1 });
  expect((await call("POST", "/api/terms/accept", { version: TERMS.version })).status).toBe(200);
  expect(await json("/api/me")).toMatchObject({ terms: { accepted: TERMS.version } });
});
