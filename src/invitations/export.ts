import { ownerMarks } from "./acts.ts";
import { INVITATION_STATES, type Invitation } from "./invitation.ts";
import type { Range } from "./page.ts";
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
  async function everyPage(read: (range: Range) => Promise<Invitation[]>): Promise<ExportedInvitation[]> {
    const all: ExportedInvitation[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await read({ offset, limit: PAGE });
      for (const invitation of page) all.push(await told(invitation));
      if (page.length < PAGE) return all;
    }
  }

  async function askedBy(inviterId: string): Promise<ExportedInvitation[]> {
    const all: ExportedInvitation[] = [];
    for (const state of INVITATION_STATES) {
      const read = async (range: Range) =>
        (await transaction(({ invitations }) => invitations.pageByInviter(inviterId, state, range))).invitations;
      all.push(...(await everyPage(read)));
    }
    return all;
  }

  async function answeredFor(address: string): Promise<ExportedInvitation[]> {
    const all: ExportedInvitation[] = [];
    for (const state of INVITATION_STATES) {
      const read = async (range: Range) =>
        (await transaction(({ invitations }) => invitations.pageByAddress(address, state, range))).invitations;
      all.push(...(await everyPage(read)).filter(({ answeredAt }) => answeredAt));
    }
    return all;
  }

  return {
    /** The account's own requests, the answers for its own address, and its blocks. */
    async recordsOf(accountId: string) {
      const address = await ownAddress.of(accountId);
      const asked = await askedBy(accountId);
      if (address === undefined) return { asked, answered: [], blocked: [] };
      const blocked = await transaction(({ blocks }) => blocks.listInviters(ownerMarks(mac, address)));
      return { asked, answered: await answeredFor(address), blocked: blocked.map((inviterId) => ({ inviterId })) };
    },
  };
}
