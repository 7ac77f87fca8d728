import { expect, test } from "bun:test";
import { mailboxKey } from "../src/shared/mailbox_key.ts";
import { DAY } from "./support/clock.ts";
import { callerOf, memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const [ALICE, BOB] = ["alice@example.com", "bob@example.net"];
const VICTIM = "victim@gmail.com";
const PASSWORD = "Tranquil-Harbour-42";

type Call = Awaited<ReturnType<typeof signedUp>>;

/** Every kind of mail that somebody can have sent to a mailbox that is not theirs; each in another spelling of it. */
const KINDS: Record<string, (call: Call, own: string, spelling: string) => Promise<Response>> = {
  invitation: (call, own, address) =>
    call("POST", "/api/associations", { address, owner: false, language: "en", contacts: { email: [own] } }),
  address_confirmation: (call, own, address) =>
    call("POST", "/api/associations", { address, owner: true, language: "en", contacts: { email: [own] } }),
  alias_confirmation: async (call, own, address) => {
    await call("POST", "/api/associations", { address: own, owner: true, language: "en", contacts: { email: [own] } });
    const list = (await (await call("GET", "/api/associations")).json()) as {
      items: { id: string; address: string }[];
    };
    const id = list.items.find((item) => item.address === own)?.id;
    return call("POST", `/api/associations/${id}/aliases`, { addresses: [address] });
  },
  confirmation: (call, _, value) =>
    call("POST", "/api/contacts", { channel: "email", value, language: "en", everywhere: false }),
  email_change: (call, _, email) => call("POST", "/api/profile/email", { email, formerAddress: "ask" }),
  login_code: async (call, _, email) => {
    const names = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
    await call("POST", "/api/register", { ...names, email, password: PASSWORD, confirmPassword: PASSWORD });
    return call("POST", "/api/login", { email, password: PASSWORD });
  },
};
const NAMES = Object.keys(KINDS);

test.each(NAMES)(
  "a mailbox is sent three unsolicited mails in seven days, over all kinds and accounts, when it starts with %s",
  async (first) => {
    const ground = memoryGround();
    const world = worldOn(ground);
    const callers = [await signedUp(world, ALICE), await signedUp(world, BOB)] as const;
    const mails = () => ground.sender.sent.filter(({ to }) => mailboxKey(to.value) === VICTIM);
    const from = NAMES.indexOf(first);
    const order = [...NAMES.slice(from), ...NAMES.slice(0, from)];
    let spelling = 0;
    const askAll = async () => {
      for (const name of order)
        for (const [at, call] of callers.entries()) {
          const own = [ALICE, BOB][at] ?? "";
          // Registering signs the browser in as somebody else.
          const by = name === "login_code" ? callerOf(world) : call;
          await KINDS[name]?.(by, own, `vic.tim+${spelling++}@googlemail.com`);
          await settle(world);
        }
    };
    await askAll();
    expect(mails().map(({ kind }) => String(kind))).toEqual([first, first, String(order[1])]);
    await askAll();
    expect(mails()).toHaveLength(3);
    ground.clock.pass(7 * DAY - 60_000);
    await settle(world);
    expect(mails()).toHaveLength(3);
  },
);
