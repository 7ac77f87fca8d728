import { sameAddress } from "../../../src/notifications/contacts/contact.ts";
import { SUSPECT_CLAIMS } from "../../../src/notifications/delivery/delivery.ts";
import type {
  Attempt,
  Contact,
  ContactPlace,
  ContactRepository,
  Delivery,
  DeliveryRepository,
  Message,
  MessageSender,
  NotificationStore,
  Outcome,
} from "../../../src/notifications/ports.ts";
import type { Channel } from "../../../src/shared/contacts.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryStrangerMail } from "../events/stranger_mail.ts";
import { memoryAttempts } from "./attempts.ts";
import { memoryChannels } from "./channels.ts";
import { memoryDesk } from "./delivery_admin.ts";
import { memoryLedger } from "./delivery_log.ts";
import { memoryPace } from "./pace.ts";
import { memoryPushKeys } from "./push_keys.ts";
import { memoryReceipts } from "./receipts.ts";
import { memoryReturns } from "./returns.ts";
import { memoryWaiting } from "./schedule.ts";
import { memorySummaries } from "./summary.ts";
import { reclaimExpired } from "./taken_back.ts";
import { memoryTallies } from "./tallies.ts";
import { memoryTelegram } from "./telegram.ts";

export function memoryNotifications(tables: MemoryTables): NotificationStore {
  return {
    strangerMail: memoryStrangerMail(tables),
    events: memoryEvents(tables),
    contacts: contacts(tables),
    deliveries: deliveries(tables),
    channels: memoryChannels(tables),
    pace: memoryPace(tables),
    deliveryLog: memoryLedger(tables),
    deliveryAdmin: memoryDesk(tables),
    waiting: memoryWaiting(tables),
    receipts: memoryReceipts(tables),
    telegram: memoryTelegram(tables),
    summaries: memorySummaries(tables),
    pushKeys: memoryPushKeys(tables),
    stats: memoryTallies(tables),
  };
}

function contacts(tables: MemoryTables): ContactRepository {
  const rows = tables<Contact>("notifications.contact");
  const confirmations = tables<{ id: string; mark: string; at: Date }>("notifications.confirmation");
  const list = async (accountId: string) => rows.filter((contact) => contact.accountId === accountId);
  const isAt = (row: Contact, place: ContactPlace) => row.accountId === place.accountId && sameAddress(row, place);
  const lockAt = async (places: ContactPlace[]) => rows.filter((row) => places.some((place) => isAt(row, place)));
  const countMark = async (mark: string, at: Date) => {
    const row = { id: crypto.randomUUID(), mark, at };
    confirmations.set(row.id, row);
  };
  return {
    async add(contact, most = Number.POSITIVE_INFINITY) {
      const all = await list(contact.accountId);
      if (all.length >= most || all.some((row) => isAt(row, contact))) return false;
      rows.set(contact.id, contact);
      return true;
    },
    find: async (id) => rows.get(id),
    listByIds: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
    findByConfirmHash: async (hash) => rows.find((contact) => contact.confirmHash === hash),
    list,
    listByChat: async (chatId) => rows.filter((contact) => contact.chatId === chatId),
    listAt: (accountId, addresses) => lockAt(addresses.map((address) => ({ accountId, ...address }))),
    statesAt: async (places) =>
      (await lockAt(places)).map(({ accountId, channel, value, state }) => ({ accountId, channel, value, state })),
    count: async (accountId) => (await list(accountId)).length,
    lockAt,
    listLocked: async (accountIds) => rows.filter((contact) => accountIds.includes(contact.accountId)),
    async replace(contact) {
      if (rows.get(contact.id)?.version !== contact.version) return false;
      rows.set(contact.id, { ...contact, version: contact.version + 1 });
      return true;
    },
    remove: async (id) => void rows.delete(id),
    removeByAccount: async (accountId) => void rows.removeWhere((row) => row.accountId === accountId),
    countConfirmations: async (mark, since) => confirmations.filter((c) => c.mark === mark && c.at >= since).length,
    countMark,
    async addConfirmation(mark, at, since) {
      for (const { id } of confirmations.filter((row) => row.at < since)) confirmations.delete(id);
      await countMark(mark, at);
    },
  };
}

function deliveries(tables: MemoryTables): DeliveryRepository {
  const rows = tables<Delivery>("notifications.delivery");
  const attempts = tables<Attempt>("notifications.attempt");
  const attemptsOf = (deliveryId: string) => attempts.filter((attempt) => attempt.deliveryId === deliveryId);
  const placeOf = ({ subject, recipient }: Delivery) => `${subject} ${recipient.channel} ${recipient.value}`;

  function removeAll(matches: (row: Delivery) => boolean): void {
    for (const { id } of rows.filter(matches)) {
      for (const attempt of attemptsOf(id)) attempts.delete(attempt.id);
      rows.delete(id);
    }
  }

  function replaceHeld(leaseToken: string, delivery: Delivery): boolean {
    if (rows.get(delivery.id)?.leaseToken !== leaseToken) return false;
    rows.set(delivery.id, delivery);
    return true;
  }

  return {
    ...memoryAttempts(tables),
    async addMissing(deliveries) {
      const missing = deliveries.filter((delivery) => {
        const isNew = !rows.find((row) => placeOf(row) === placeOf(delivery));
        if (isNew) rows.set(delivery.id, delivery);
        return isNew;
      });
      return missing.map(({ id }) => id);
    },
    find: async (id) => rows.get(id),
    listBySubject: async (subject) => rows.filter((row) => row.subject === subject),
    async lastQueuePositions(accountIds, lane) {
      const due = rows
        .filter((row) => row.lane === lane && row.state === "due")
        .toSorted((one, other) => one.turn.getTime() - other.turn.getTime());
      return new Map(
        due.flatMap(({ accountId, turn }) => (accountId && accountIds.includes(accountId) ? [[accountId, turn]] : [])),
      );
    },
    hasFailing: async (accountId, lane) =>
      rows.find(
        (row) =>
          row.accountId === accountId && row.lane === lane && row.state === "due" && row.failingSince !== undefined,
      ) !== undefined,
    async listKnownSubjects(subjects) {
      return [...new Set(rows.filter((row) => subjects.includes(row.subject)).map(({ subject }) => subject))];
    },
    reclaimExpired: async (now) => reclaimExpired(rows, now),
    async claimDue(channels, limit, now, leaseUntil, lowestPriority = Number.POSITIVE_INFINITY) {
      const isDue = ({ state, runAt }: Delivery) => state === "due" && runAt <= now;
      const isWanted = ({ recipient, lane }: Delivery) =>
        channels.includes(recipient.channel) && lane <= lowestPriority;
      const due = rows.filter((row) => isDue(row) && isWanted(row));
      due.sort((one, other) => one.lane - other.lane || one.turn.getTime() - other.turn.getTime());
      return due.slice(0, limit).map((row) => {
        const claimed: Delivery = {
          ...row,
          state: "sending",
          claims: row.claims + 1,
          leaseToken: crypto.randomUUID(),
          leaseUntil,
        };
        rows.set(row.id, claimed);
        return claimed;
      });
    },
    async renewLeases(leases, leaseUntil) {
      for (const { id, leaseToken, isSlow } of leases) {
        const row = rows.get(id);
        if (row?.leaseToken === leaseToken)
          rows.set(id, { ...row, leaseUntil, claims: isSlow ? Math.min(row.claims, SUSPECT_CLAIMS) : row.claims });
      }
    },
    async replaceClaimed(leaseToken, delivery) {
      return replaceHeld(leaseToken, delivery);
    },
    replaceAllClaimed: async (claims) =>
      claims.flatMap(({ leaseToken, delivery }) => (replaceHeld(leaseToken, delivery) ? [delivery.id] : [])),
    async expire(now) {
      const past = rows.filter(
        ({ notAfter, state }) => notAfter !== undefined && notAfter <= now && (state === "due" || state === "held"),
      );
      for (const row of past)
        rows.set(row.id, { ...row, state: "cancelled", reason: "expired", endedAt: now, sealed: undefined });
      return past.map(({ id, recipient }) => ({ id, channel: recipient.channel }));
    },
    ...memoryReturns(tables),
    async listByAccount(accountId, offset, limit) {
      const oldestFirst = rows
        .filter((row) => row.accountId === accountId)
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1));
      return oldestFirst.slice(offset, offset + limit).map((row) => ({ ...row, tries: attemptsOf(row.id) }));
    },
    removeByAccount: async (accountId) => removeAll((row) => row.accountId === accountId),
    removeByAlert: async (accountId, alertId) =>
      removeAll(
        ({ about, accountId: owner }) => owner === accountId && "alertId" in about && about.alertId === alertId,
      ),
    async removeEnded(before, limit) {
      const isLast = (row: Delivery) =>
        row.contactId !== undefined &&
        row.state === "sent" &&
        !rows
          .filter((other) => other.contactId === row.contactId && other.state === "sent")
          .some(({ endedAt = before }) => endedAt > (row.endedAt ?? before));
      const old = rows
        .filter((row) => row.endedAt !== undefined && row.endedAt < before && !isLast(row))
        .sort((one, other) => (one.endedAt?.getTime() ?? 0) - (other.endedAt?.getTime() ?? 0))
        .slice(0, limit)
        .map(({ id }) => id);
      removeAll(({ id }) => old.includes(id));
      return old.length;
    },
    removeUnowned: async (before) =>
      removeAll((row) => row.accountId === undefined && row.endedAt !== undefined && row.createdAt <= before),
    async backlog(now) {
      const due = rows
        .filter((row) => row.state === "due" && row.runAt <= now)
        .sort((one, other) => one.runAt.getTime() - other.runAt.getTime());
      const count = (matches: (row: Delivery) => boolean) => rows.filter(matches).length;
      const [oldest] = due;
      return {
        due: due.length,
        retrying: count(({ state, reason }) => state === "due" && reason !== undefined),
        oldestDueAt: oldest?.runAt,
        held: count(({ state }) => state === "held"),
        dead: count(({ state }) => state === "dead"),
        inDoubt: count(({ inDoubt }) => inDoubt),
      };
    },
  };
}

export type MemorySender = MessageSender & {
  /** Everything accepted, in order. */
  readonly sent: Message[];
  /** Called after each. */
  onSent: () => void;
  /** Outcomes of the next sends, in order; after them everything is delivered again. */
  answer(...outcomes: Outcome[]): void;
};

/** A channel that records its messages, and fails as scripted. */
export function memorySender(channel: Channel = "email"): MemorySender {
  const sent: Message[] = [];
  const answers: Outcome[] = [];
  const sender: MemorySender = {
    channel,
    sent,
    onSent: () => {},
    answer: (...outcomes) => void answers.push(...outcomes),
    async send(message) {
      const outcome = answers.shift() ?? { kind: "delivered", providerId: message.messageId };
      if (outcome.kind === "delivered") sent.push(message);
      sender.onSent();
      return outcome;
    },
  };
  return sender;
}
