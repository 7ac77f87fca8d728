import { expect, test } from "bun:test";
import { memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const EMAIL = "alice@example.com";
const PASSWORD = "Quiet-River-9-Boat";

test("A password reset: the request leads to a mailed link, the link to a new password and a notification", async () => {
  const ground = memoryGround();
  const world = worldOn(ground);
  const call = await signedUp(world, EMAIL);
  await settle(world);
  const before = ground.sender.sent.length;
  const mails = () => ground.sender.sent.slice(before);

  for (const email of ["nobody@example.com", EMAIL])
    expect((await call("POST", "/api/forgot-password", { email })).status).toBe(200);
  await settle(world);
  const [mail, ...others] = mails();
  expect(others).toEqual([]);
  expect(mail?.to.value).toBe(EMAIL);
  const [, token = ""] = /\/en\/reset-password#t=([\w-]+)/.exec(JSON.stringify(mail)) ?? [];

  expect((await call("POST", "/api/reset-password/check", { token })).status).toBe(200);
  const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
  expect((await call("POST", "/api/reset-password", { token, ...passwords })).status).toBe(200);
  expect((await call("GET", "/api/me")).status).toBe(401);
  expect((await call("POST", "/api/reset-password", { token, ...passwords })).status).toBe(410);
  await settle(world);
  expect(mails().map(({ content }) => content.subject)).toEqual([
    "Reset your Breachbell password",
    "Your Breachbell password has been changed",
  ]);
  expect((await call("POST", "/api/login", { email: EMAIL, password: PASSWORD })).status).toBe(200);
  expect(ground.errors).toEqual([]);
});
