import { describe, expect, test } from "bun:test";
import type { RegistrationPolicy } from "../../src/shared/registration.ts";
import { type ErrorCode, fail, ok } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

type Registered = Awaited<ReturnType<ReturnType<typeof identityWorld>["identity"]["register"]>>;

const OPEN: RegistrationPolicy = { mode: "open", domains: [] };
const FAMILY: RegistrationPolicy = { mode: "open", domains: ["example.com", "xn--mnchen-3ya.example"] };
const at = (field: ErrorCode) => fail("INVALID_INPUT", { fields: { email: field } });

function opened(registration: RegistrationPolicy) {
  const world = identityWorld({ registration });
  const register = (email: string, invitation?: string) =>
    world.identity.register({ ...ALICE, email, ...(invitation && { invitation }) }, { ip: HOME });
  const linkFor = async (email: string, days?: number) =>
    accepted(await world.identity.inviteToRegister(email, days)).token;
  return { ...world, register, linkFor };
}

describe("who may register", () => {
  test.each<[string, RegistrationPolicy, string, Registered | undefined]>([
    ["everybody while it is open", OPEN, "ada@anywhere.example", undefined],
    ["an address at an allowed domain", FAMILY, "ada@example.com", undefined],
    ["an address at an allowed international domain", FAMILY, "ada@xn--mnchen-3ya.example", undefined],
    ["no address at another domain", FAMILY, "ada@example.org", at("REGISTRATION_DOMAIN")],
    ["no address at a subdomain of an allowed one", FAMILY, "ada@mail.example.com", at("REGISTRATION_DOMAIN")],
    ["nobody without a link", { ...OPEN, mode: "invite" }, "ada@example.com", fail("REGISTRATION_INVITE_ONLY")],
    ["nobody while it is closed", { ...OPEN, mode: "closed" }, "ada@example.com", fail("REGISTRATION_CLOSED")],
  ])("%s", async (_, policy, email, refusal) => {
    const { register, userOf } = opened(policy);
    expect(await register(email)).toEqual(refusal ?? ok({ email }));
    expect(await userOf(email)).toEqual(refusal ? undefined : expect.anything());
  });

  test.each(["open", "invite", "closed"] as const)("who has a link, while registration is %s", async (mode) => {
    const { register, linkFor, identity } = opened({ mode, domains: ["elsewhere.example"] });
    const link = await linkFor("ada@example.com");
    expect(await identity.inspectInvitation(link)).toEqual(ok({ email: "ada@example.com", staff: false }));
    expect(await register("eve@example.com", link)).toEqual(at("REGISTRATION_OTHER_EMAIL"));
    expect(await register("ada@example.com", link)).toEqual(ok({ email: "ada@example.com" }));
  });

  test("nobody with a link that is too old, changed or made up, even while registration is open", async () => {
    const { register, linkFor, identity, pass } = opened(OPEN);
    const link = await linkFor("ada@example.com", 2);
    const [name = "", time = "", signature = ""] = link.split(".");
    const later = `${name}.${(Number.parseInt(time, 36) + 1).toString(36)}.${signature}`;
    const other = `${Buffer.from("eve@example.com").toString("base64url")}.${time}.${signature}`;
    pass({ hours: 47 });
    expect(await identity.inspectInvitation(link)).toMatchObject({ ok: true });
    pass({ hours: 1 });
    for (const bad of [link, later, other, "x", "..", `${name}.zzzzzzzzz.${signature}`]) {
      expect(await identity.inspectInvitation(bad)).toEqual(fail("REGISTRATION_LINK_INVALID"));
      expect(await register("ada@example.com", bad)).toEqual(fail("REGISTRATION_LINK_INVALID"));
    }
  });

  test.each(["open", "invite", "closed"] as const)(
    "the first account with the link of the start, as staff, while registration is %s",
    async (mode) => {
      const { register, identity, published, userOf, signIn } = opened({ mode, domains: ["elsewhere.example"] });
      const link = (await identity.inviteFirst()) ?? "";
      expect(await identity.inspectInvitation(link)).toEqual(ok({ email: null, staff: true }));
      expect(await register("typing-error@example.com", link)).toMatchObject({ ok: true });
      expect(await register(ALICE.email, link)).toMatchObject({ ok: true });
      expect(await userOf(ALICE.email)).toMatchObject({ staff: true, verifiedAt: undefined });
      const acts = (await published()).filter(({ type }) => type === "staff.acted");
      expect(acts).toMatchObject([1, 2].map(() => ({ act: "staff_granted", actor: { by: "command_line" } })));
      await signIn();
      // Nobody else, with this link or another one.
      expect(await identity.inviteFirst()).toBeUndefined();
      expect(await identity.inspectInvitation(link)).toEqual(fail("REGISTRATION_LINK_INVALID"));
      expect(await register("eve@example.com", link)).toEqual(fail("REGISTRATION_LINK_INVALID"));
      expect(await userOf("eve@example.com")).toBeUndefined();
    },
  );

  test("nobody with the link of the start a day later, or with that of an address made into one", async () => {
    const { register, identity, linkFor, pass } = opened(OPEN);
    const [, time, signature] = (await linkFor("ada@example.com")).split(".");
    const link = (await identity.inviteFirst()) ?? "";
    pass({ hours: 23 });
    expect(await identity.inspectInvitation(link)).toMatchObject({ ok: true });
    pass({ hours: 1 });
    for (const bad of [link, `.${time}.${signature}`])
      expect(await register("eve@example.com", bad)).toEqual(fail("REGISTRATION_LINK_INVALID"));
  });

  test("a link is made once for an address, noted without it, and refused for one that has an account", async () => {
    const { linkFor, identity, published, signIn, register } = opened(OPEN);
    await linkFor(ALICE.email);
    const acts = (await published()).filter(({ type }) => type === "staff.acted");
    expect(acts).toMatchObject([{ act: "account_invited", actor: { by: "command_line" } }]);
    expect(JSON.stringify(acts)).not.toContain(ALICE.email);
    accepted(await register(ALICE.email));
    expect(await identity.inviteToRegister(ALICE.email)).toMatchObject({ ok: true });
    await signIn();
    expect(await identity.inviteToRegister(ALICE.email)).toEqual(fail("EMAIL_TAKEN"));
  });
});

describe("a change of an account's email", () => {
  const ELSEWHERE = "alice@elsewhere.example";

  type Asked = Awaited<ReturnType<ReturnType<typeof identityWorld>["identity"]["requestEmailChange"]>>;

  test.each<[string, RegistrationPolicy, string, Asked | undefined]>([
    ["is refused to another domain than the allowed ones", FAMILY, ELSEWHERE, at("REGISTRATION_DOMAIN")],
    ["is refused to a subdomain of an allowed one", FAMILY, "alice@mail.example.com", at("REGISTRATION_DOMAIN")],
    ["is possible within the allowed domains", FAMILY, "alice@xn--mnchen-3ya.example", undefined],
    ["is possible anywhere without a list", OPEN, ELSEWHERE, undefined],
    ["is possible anywhere where accounts need a link", { ...FAMILY, mode: "invite" }, ELSEWHERE, undefined],
  ])("%s", async (_, policy, email, refusal) => {
    const { register, linkFor, userOf, signIn, identity, mails } = opened(policy);
    await register(ALICE.email, await linkFor(ALICE.email));
    await signIn();
    const { id = "" } = (await userOf(ALICE.email)) ?? {};
    const sent = (await mails()).length;
    const change = { email, formerAddress: "end" } as const;
    expect(await identity.requestEmailChange(id, change, { ip: HOME, token: undefined })).toEqual(
      refusal ?? ok({ email }),
    );
    expect(await mails()).toHaveLength(refusal ? sent : sent + 1);
  });

  test("is possible anywhere for an account that a link admitted from another domain", async () => {
    const { register, linkFor, userOf, signIn, identity } = opened({ mode: "open", domains: ["family.example"] });
    await register(ALICE.email, await linkFor(ALICE.email));
    await signIn();
    const { id = "" } = (await userOf(ALICE.email)) ?? {};
    const change = { email: ELSEWHERE, formerAddress: "end" } as const;
    expect(await identity.requestEmailChange(id, change, { ip: HOME, token: undefined })).toEqual(
      ok({ email: ELSEWHERE }),
    );
  });
});
