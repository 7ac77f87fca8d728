import { ownerMarks } from "./acts.ts";
import { INVITATION_STATES, type Invitation } from "./invitation.ts";
import type { InvitationDeps } from "./ports.ts";
import { type RecordEntry, recordEntries } from "./record.ts";

const PAGE = 200;

type ExportedInvitation = Omit<Invitation, "tokenHash" | "inviterId"> & { entries: RecordEntry[] };

/** The data that invitations hold on an account, for its data export. */
export function exporting({ transaction, ownAddress, mac }: InvitationDeps) {
  /** Before an answer the record would reveal to a blocked inviter that no mail is sent. */
  async function told({ tokenHash: _, inviterId: __, ...invitation }: Invitation): Promise<ExportedInvitation> {
    const { id, answeredAt } = invitation;
    const records = answeredAt ? await transaction((store) => store.records.list(id)) : [];
    return { ...invitation, entries: recordEntries(records) };
  }

  /** One page per transaction, as transactions are kept short. */
  async function everyOne(by: { inviterId: string } | { address: string }): Promise<Invitation[]> {
    const all: Invitation[] = [];
    for (const state of INVITATION_STATES)
      for (let offset = 0; ; offset += PAGE) {
        const range = { offset, limit: PAGE };
        const page = await transaction((store) => store.invitations.page(by, state, range));
        all.push(...page.invitations);
        if (page.invitations.length < PAGE) break;
      }
    return all;
  }

  return {
    /** The account's own requests, the answers for its own address, and its blocks. */
    async recordsOf(accountId: string) {
      const address = await ownAddress.of(accountId);
      const asked = await Array.fromAsync(await everyOne({ inviterId: accountId }), told);
      if (address === undefined) return { asked, answered: [], blocked: [] };
      const blocked = await transaction(({ blocks }) => blocks.listInviters(ownerMarks(mac, address)));
      const answers = (await everyOne({ address })).filter(({ answeredAt }) => answeredAt);
      const answered = await Array.fromAsync(answers, told);
      return { asked, answered, blocked: blocked.map((inviterId) => ({ inviterId })) };
    },
  };
}
