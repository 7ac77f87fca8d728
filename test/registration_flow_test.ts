import { expect, test } from "bun:test";
import { callerOf, memoryGround, worldOn } from "./support/world.ts";

const EMAIL = "alice@example.com";
const PASSWORD = "Quiet-River-9-Boat";

test("a new account can track immediately: the trial has started, however many events are pending", async () => {
  const world = worldOn(memoryGround());
  const call = callerOf(world);
  const person = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true, email: EMAIL };
  const registered = await call("POST", "/api/register", { ...person, password: PASSWORD, confirmPassword: PASSWORD });
  expect(registered.status).toBe(201);
  expect((await call("POST", "/api/login", { email: EMAIL, password: PASSWORD })).status).toBe(200);
  expect((await call("POST", "/api/verify-code", { code: "123456" })).status).toBe(200);
  const body = { address: "bob@example.net", owner: false, language: "en", contacts: { email: [EMAIL] } };
  expect((await call("POST", "/api/associations", body)).status).toBe(201);
});
