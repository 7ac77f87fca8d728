import { type ConsentKind, type ConsentScope, NO_SCOPE, WORDING_VERSION } from "../shared/consent.ts";
import type { Told } from "../shared/disclosure.ts";
import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { type Act, type Agreement, acting, done, scopeOf, TRANSITIONS } from "./acts.ts";
import { type Invitation, isOpen } from "./invitation.ts";
import { inviterView, manageToken } from "./mails.ts";
import type { InvitationDeps, InvitationKey } from "./ports.ts";
import { type RecordEntry, recordEntries } from "./record.ts";

export type LinkFacts = {
  /** `answer`: awaits an answer; `manage`: shows the consent. */
  purpose: "answer" | "manage";
  kind: ConsentKind;
  state: "pending" | "accepted";
  inviter: { name: string; email: string };
  address: string;
  scope: ConsentScope | null;
  language: Language;
  expiresAt: string | null;
  wording: string;
  record: RecordEntry[];
  /** What the sources were told about the address; empty before it is checked. */
  told: Told[];
};

type Invalid = "INVITATION_INVALID";

/** The owner's side through a mailed link, without an account: the latest mail's link answers, and then leads to the consent. */
export function links(deps: InvitationDeps) {
  const { transaction, accounts, disclosures, hashToken, mac, now } = deps;
  const { performNow } = acting(deps);

  /** Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right. */
  function keyOf(token: string): InvitationKey {
    const id = token.split(".")[1];
    const isManage = id !== undefined && hashToken(manageToken(mac, id)) === hashToken(token);
    return isManage ? { id } : { tokenHash: hashToken(token) };
  }

  /** All invalid links get the same answer, whatever the reason. */
  async function performBy(token: string, act: Act): Promise<Result<Invitation, Invalid>> {
    const acted = await performNow(keyOf(token), act);
    return acted.ok ? acted : fail("INVITATION_INVALID");
  }

  return {
    /** The facts behind a link. Read-only, as mail scanners open links. */
    async inspectLink(token: string): Promise<Result<LinkFacts, Invalid>> {
      const found = await transaction(async ({ invitations, records }) => {
        const invitation = await invitations.find(keyOf(token));
        return invitation && { invitation, entries: await records.list(invitation.id) };
      });
      const inviter = found && (await accounts.of(found.invitation.inviterId));
      if (!found || !inviter) return fail("INVITATION_INVALID");
      const { state, kind, address, scope = null, language, expiresAt } = found.invitation;
      if (state !== "accepted" && !isOpen(found.invitation, now())) return fail("INVITATION_INVALID");
      const told = state === "accepted" ? await disclosures.of(address) : [];
      const facts = {
        kind,
        inviter: inviterView(inviter),
        address,
        scope,
        language,
        wording: WORDING_VERSION,
        record: recordEntries(found.entries),
        told,
      };
      if (state === "accepted") return ok({ ...facts, purpose: "manage", state, expiresAt: null });
      return ok({ ...facts, purpose: "answer", state: "pending", expiresAt: expiresAt.toISOString() });
    },

    /** Whether the mail with this link still awaits an answer: the request was neither answered, ended nor repeated. */
    isAwaited(token: string): Promise<boolean> {
      return transaction(async ({ invitations }) => {
        const found = await invitations.find({ tokenHash: hashToken(token) });
        return found !== undefined && isOpen(found, now());
      });
    },

    async acceptLink(
      token: string,
      agreement: Agreement,
    ): Promise<Result<{ manageToken: string; scope: ConsentScope }, Invalid>> {
      const agreed = await performBy(token, { ...TRANSITIONS.accept(agreement), byLink: true });
      if (!agreed.ok) return agreed;
      const { id, scope = NO_SCOPE } = agreed.value;
      return ok({ manageToken: manageToken(mac, id), scope });
    },

    async declineLink(token: string, block: boolean): Promise<Result<undefined, Invalid>> {
      return done(await performBy(token, TRANSITIONS.decline(block)));
    },

    async rescopeLink(token: string, agreement: Agreement): Promise<Result<{ scope: ConsentScope }, Invalid>> {
      return scopeOf(await performBy(token, TRANSITIONS.rescope(agreement)));
    },

    async withdrawLink(token: string, block: boolean): Promise<Result<undefined, Invalid>> {
      return done(await performBy(token, TRANSITIONS.withdraw(block)));
    },
  };
}
