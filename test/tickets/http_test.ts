import { describe, expect, test } from "bun:test";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { aFeedbackInput, aTicketInput } from "./support_world.ts";

const TICKETS = "/api/support/tickets";
const post = (text: string) => ({ text, key: crypto.randomUUID() });

async function aliceAndBob() {
  const ground = memoryGround();
  const world = worldOn(ground);
  const [alice, bob] = [await signedUp(world, "alice@example.com"), await signedUp(world, "bob@example.net")];
  const mails = (to: string) => ground.sender.sent.filter((mail) => mail.to.value === to);
  return { ground, world, alice, bob, mails };
}
type Call = Awaited<ReturnType<typeof signedUp>>;

async function sentBy(call: Call, input: object = aTicketInput()): Promise<string> {
  const answer = await call("POST", TICKETS, input);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { reference: string }).reference;
}

/** Marks an account as staff, as the command line does. */
async function asStaff({ ground }: Awaited<ReturnType<typeof aliceAndBob>>, email: string) {
  const { memoryIdentity } = await import("../memory/identity/store.ts");
  await ground.transactionOf(memoryIdentity)(async ({ users }) => {
    const user = await users.findByEmail(email);
    await users.setStaff(user?.id ?? "", true);
  });
}

/** An explicit undefined body, as Bun would treat a missing parameter as a callback. */
type Route = [method: string, path: string, body: object | undefined];
const ROUTES: Route[] = [
  ["GET", `${TICKETS}?kind=ticket`, undefined],
  ["GET", `${TICKETS}/BB-7K3F-92QX`, undefined],
  ["POST", TICKETS, aTicketInput()],
  ["POST", "/api/support/feedback", aFeedbackInput()],
  ["POST", `${TICKETS}/BB-7K3F-92QX/messages`, post("?")],
  ["POST", `${TICKETS}/BB-7K3F-92QX/close`, {}],
  ["POST", `${TICKETS}/BB-7K3F-92QX/reopen`, {}],
];
const STAFF_ROUTES: Route[] = [
  ["GET", "/api/staff/tickets", undefined],
  ["GET", "/api/staff/tickets?state=nonsense", undefined],
  ["GET", "/api/staff/tickets/BB-7K3F-92QX", undefined],
  ["POST", "/api/staff/tickets/BB-7K3F-92QX/answers", post("!")],
  ["POST", "/api/staff/tickets/BB-7K3F-92QX/answers", { nonsense: true }],
  ["POST", "/api/staff/tickets/BB-7K3F-92QX/state", { state: "closed" }],
];

describe("/api/support", () => {
  test.each(ROUTES)("requires a session: %s %s", async (method, path, body) => {
    const world = worldOn(memoryGround());
    const headers = { "Sec-Fetch-Site": "same-origin", ...(body && { "Content-Type": "application/json" }) };
    const answer = await world.app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect([answer.status, await answer.json()]).toEqual([401, { code: "UNAUTHENTICATED" }]);
  });

  test("accepts a ticket once, lists it, and shows it to its account only", async () => {
    const { alice, bob } = await aliceAndBob();
    const input = aTicketInput();
    const reference = await sentBy(alice, input);
    expect(await sentBy(alice, input)).toBe(reference);
    expect(await (await alice("GET", `${TICKETS}?kind=ticket`)).json()).toMatchObject({
      items: [{ reference }],
      total: 1,
    });
    expect(await (await alice("GET", `${TICKETS}?kind=feedback`)).json()).toMatchObject({ items: [] });
    const typed = reference.toLowerCase().replaceAll("-", "");
    expect(await (await alice("GET", `${TICKETS}/${typed}`)).json()).toMatchObject({ reference, subject: "No mails" });
    // Foreign, unknown and malformed ones get the same response.
    const answers: string[] = [];
    for (const asked of [reference, "BB-7K3F-92QX", "nothing", "%00"])
      for (const [method, act, body] of [
        ["GET", ""],
        ["POST", "/close", {}],
        ["POST", "/messages", post("?")],
      ] as const) {
        const answer = await bob(method, `${TICKETS}/${asked}${act}`, body);
        answers.push(`${answer.status} ${await answer.text()}`);
      }
    expect([...new Set(answers)]).toEqual(['404 {"code":"NOT_FOUND"}']);
    expect(await (await alice("GET", `${TICKETS}/${reference}`)).json()).toMatchObject({ state: "open" });
  });

  test("names every invalid field, and stores nothing", async () => {
    const { alice } = await aliceAndBob();
    for (const body of [
      {},
      { ...aTicketInput(), firstName: "x".repeat(61), type: 7, description: null, privacy: false },
    ]) {
      const answer = await alice("POST", TICKETS, body);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ code: "INVALID_INPUT", fields: { privacy: "PRIVACY_REQUIRED" } });
    }
    for (const query of ["", "?kind=other", "?kind=ticket&page=0", "?kind=ticket&page=x", "?kind=ticket&extra=1"])
      expect((await alice("GET", `${TICKETS}${query}`)).status).toBe(422);
    expect(await (await alice("GET", `${TICKETS}?kind=ticket`)).json()).toMatchObject({ total: 0 });
  });

  test("refuses the eleventh in an hour, with the time to wait", async () => {
    const { alice } = await aliceAndBob();
    for (let time = 0; time < 10; time++) await sentBy(alice);
    const answer = await alice("POST", "/api/support/feedback", aFeedbackInput());
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "3600"]);
  });
});

describe("/api/staff/tickets", () => {
  test.each(STAFF_ROUTES)("does not exist for anybody else: %s %s", async (method, path, body) => {
    const { alice } = await aliceAndBob();
    await sentBy(alice);
    const unknown = await alice(method, "/api/nothing", body);
    const answer = await alice(method, path, body);
    expect([answer.status, await answer.text()]).toEqual([unknown.status, await unknown.text()]);
  });

  test("lets staff find, answer and close; the sender can read it, also by mail, and each action is logged", async () => {
    const stage = await aliceAndBob();
    const { alice, bob, world, mails } = stage;
    await asStaff(stage, "bob@example.net");
    const reference = await sentBy(alice);
    await settle(world);
    const found = (await bob("GET", `/api/staff/tickets?state=open&search=${reference.slice(3, 7)}`)).json();
    expect(await found).toMatchObject({ items: [{ reference, sender: "Alice Meyer", priority: "high" }], total: 1 });
    const answered = await bob("POST", `/api/staff/tickets/${reference}/answers`, post("Please try\nagain."));
    expect(answered.status).toBe(201);
    await settle(world);
    expect(await (await alice("GET", `${TICKETS}/${reference}`)).json()).toMatchObject({
      state: "answered",
      messages: [{ by: "sender" }, { by: "staff", text: "Please try\nagain." }],
    });
    const mail = mails("alice@example.com").at(-1);
    expect(mail?.replyTo).toBe("support@breachbell.example");
    expect(JSON.stringify(mail?.content)).toContain("Please try");
    await bob("POST", `/api/staff/tickets/${reference}/state`, { state: "closed" });
    await settle(world);
    const acts = await world.identity.staffActs({
      actorId: undefined,
      act: undefined,
      objectId: undefined,
      from: undefined,
      until: undefined,
    });
    expect(acts.ok && acts.value.acts.map(({ act, actor, detail }) => [act, actor?.name, detail.reference])).toEqual([
      ["ticket_changed", "bob@example.net", reference],
      ["ticket_answered", "bob@example.net", reference],
    ]);
  });
});

test("A ticket is mailed to the staff with a reply address, and confirmed without quoting it", async () => {
  const { alice, world, mails, ground } = await aliceAndBob();
  const description = "<script>alert(1)</script> & لا تصل الرسائل 🐝";
  const reference = await sentBy(alice, aTicketInput({ description, subject: "No mails at all" }));
  await settle(world);
  const [staff, ...more] = mails("support@breachbell.example");
  expect(more).toEqual([]);
  expect(staff?.replyTo).toBe("alice@example.com");
  expect(staff?.content.subject).toBe(`New request ${reference}: No mails at all`);
  const read = JSON.stringify(staff?.content);
  for (const words of [
    description,
    "Alice Meyer",
    "Meyer AG",
    "Technical",
    "High",
    "English",
    "alice@work.example",
    "alice@example.com",
  ])
    expect(read).toContain(JSON.stringify(words).slice(1, -1));
  // The typed address may belong to somebody else.
  expect(mails("alice@work.example")).toEqual([]);
  const confirmation = mails("alice@example.com").at(-1);
  expect(confirmation?.content.subject).toBe(`We’ve received your request (${reference})`);
  expect(JSON.stringify(confirmation)).not.toMatch(/script|No mails|Meyer AG/);
  expect(JSON.stringify(confirmation)).toContain(`/en/support?ticket=${reference}`);
  // Erased once it was sent.
  const account = (await (await alice("GET", "/api/profile")).json()) as { id?: string; email: string };
  expect(account.email).toBe("alice@example.com");
  const { memoryNotifications } = await import("../memory/notifications/store.ts");
  const stored = await ground.transactionOf(memoryNotifications)(({ deliveries }) =>
    deliveries.find(staff?.deliveryId ?? ""),
  );
  expect(stored).toMatchObject({ state: "sent", sealed: undefined });
  expect(ground.errors).toEqual([]);
});
