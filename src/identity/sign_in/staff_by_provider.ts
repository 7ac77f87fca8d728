import type { StaffAct } from "../../shared/staff.ts";
import type { IdentityDeps, IdentityStore, User } from "../ports.ts";
import { staffNotes } from "../staff/staff_notes.ts";
import type { ProviderSession } from "./session_ports.ts";

/**
 * Who is staff by a provider's groups: decided at each completed sign-in, so that the right does not outlive its reason. A
 * sign-in by other means shows no groups, and so ends it, too. A right given by hand is not touched.
 */
export function staffByProvider(deps: IdentityDeps) {
  const { note } = staffNotes(deps);
  return async function settle(
    store: IdentityStore,
    { id, staff, staffBy }: User,
    session: ProviderSession | undefined,
  ): Promise<void> {
    if (staff && staffBy === undefined) return;
    const by = session?.isStaff ? session.provider : undefined;
    if (by === staffBy) return;
    await store.users.setStaff(id, by !== undefined, by);
    const act: StaffAct = by === undefined ? "staff_withdrawn" : "staff_granted";
    if (staff !== (by !== undefined)) await note(store, act, { actor: { by: "provider" }, accountId: id });
  };
}
