import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { post } from "../../web/api/call.ts";

const PAGE = { hidden: false };
let answers: { status: number; body: object }[];
let asked: number;
const page = Object.getOwnPropertyDescriptor(globalThis, "document");
const spies: { mockRestore(): void }[] = [];

beforeEach(() => {
  asked = 0;
  Object.defineProperty(globalThis, "document", { value: PAGE, configurable: true });
  const answer = () => {
    const { status, body } = answers[Math.min(asked++, answers.length - 1)] ?? { status: 500, body: {} };
    return Promise.resolve(Response.json(body, { status }));
  };
  // Without a delay.
  spies.push(spyOn(Math, "random").mockReturnValue(0), spyOn(globalThis, "fetch").mockImplementation(answer as never));
});

afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
  if (page) Object.defineProperty(globalThis, "document", page);
  else Reflect.deleteProperty(globalThis, "document");
});

const login = () => post("/api/login", { body: { email: "alice@example.com", password: "Tr4in-Window-Seat" } });
const busy = (retryAfter: number) => ({ status: 503, body: { code: "BUSY", retryAfter } });

test("call() retries when the server is briefly busy, so that valid requests succeed", async () => {
  answers = [busy(0), busy(0), { status: 200, body: { email: "alice@example.com" } }];
  expect(await login()).toMatchObject({ email: "alice@example.com" });
  expect(asked).toBe(3);
});

test("call() reports when the server stays busy", async () => {
  answers = [busy(0)];
  await expect(login()).rejects.toMatchObject({ code: "BUSY" });
  expect(asked).toBe(4);
});

test.each([
  ["stays busy longer", busy(5), "BUSY"],
  ["does not say for how long", { status: 503, body: { code: "BUSY" } }, "BUSY"],
  ["has locked the account", { status: 429, body: { code: "LOCKED", retryAfter: 1 } }, "LOCKED"],
] as const)("call() does not retry if the server %s", async (_, answer, code) => {
  answers = [answer];
  await expect(login()).rejects.toMatchObject({ code });
  expect(asked).toBe(1);
});
