import type { Breach } from "../../src/breaches/catalogue/breach.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { listsOf } from "../../src/shared/contacts.ts";
import type { Result } from "../../src/shared/result.ts";
import type { Association } from "../../src/tracking/association.ts";
import type { TrackInput } from "../../src/tracking/inputs.ts";

/** The test users; each has an account and an address. */
export const ALICE = { accountId: "a11ce000-0000-4000-8000-000000000001", address: "alice@example.com" };
export const BOB = { accountId: "b0b00000-0000-4000-8000-000000000002", address: "bob@example.net" };
export const CHARLIE = { accountId: "c4a511e0-0000-4000-8000-000000000003", address: "charlie@example.org" };

export function anAssociation(more: Partial<Association> = {}): Association {
  const address = more.address ?? ALICE.address;
  return {
    id: crypto.randomUUID(),
    accountId: ALICE.accountId,
    address,
    owner: true,
    consent: "own",
    scope: FULL_SCOPE,
    scopeVersion: 0,
    language: "en",
    contacts: [{ channel: "email", value: address }],
    paused: false,
    suspended: false,
    preferred: false,
    openAlerts: 0,
    openVersion: 0,
    createdAt: new Date("2026-11-01T08:30:00.123Z"),
    ...more,
  };
}

export function aBreach(more: Partial<Breach> = {}): Breach {
  const name = more.name ?? "Adobe";
  return {
    name,
    title: name,
    domain: `${name.toLowerCase()}.example`,
    breachDate: "2013-10-04",
    addedDate: "2013-12-04T00:00:00Z",
    modifiedDate: "2022-05-15T23:52:49Z",
    dataClasses: ["Email addresses", "Passwords"],
    flags: [],
    pwnCount: 152_445_165,
    description: `In October 2013, <em>${name}</em> was breached.`,
    logoPath: `https://logos.example/${name}.png`,
    attribution: undefined,
    disclosureUrl: undefined,
    ...more,
  };
}

export function aTrackInput(more: Partial<TrackInput> = {}): TrackInput {
  const address = more.address ?? ALICE.address;
  return { address, owner: true, language: "en", contacts: { ...listsOf([]), email: [address] }, ...more };
}

/** Unwraps a result that must be successful. */
export function accepted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`Cannot accept the answer "${result.code}"`);
  return result.value;
}
