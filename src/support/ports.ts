import type { EventPublisher } from "../events/catalogue.ts";
import type { Cipher, Mac, NewToken } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { LimitRepository } from "./limit_ports.ts";
import type { Post, Priority, Ticket, TicketKind, TicketState, TicketType } from "./ticket.ts";

export type Range = { offset: number; limit: number };
export type TicketPage = { tickets: Ticket[]; total: number };

/** Undefined fields match anything. `reference` is a prefix; "" matches all. */
export type TicketFilter = {
  kind: TicketKind | undefined;
  state: TicketState | undefined;
  type: TicketType | undefined;
  priority: Priority | undefined;
  reference: string;
};

export type TicketRepository = {
  /** False when the reference is taken. */
  add(ticket: Ticket): Promise<boolean>;
  /** Finds by the account's idempotency key. */
  findByKey(accountId: string, key: string): Promise<Ticket | undefined>;
  find(reference: string): Promise<Ticket | undefined>;
  /** Like `find`, with a row lock until the end of the transaction. */
  findForUpdate(reference: string): Promise<Ticket | undefined>;
  /** Saves the state of a ticket that is locked. */
  setState(ticket: Pick<Ticket, "id" | "state" | "changedAt" | "closedAt">): Promise<void>;
  /** Those of one account, the last changed first. */
  pageOwn(accountId: string, kind: TicketKind, range: Range): Promise<TicketPage>;
  /** Those of all accounts. Open ones: by urgency, then the longest waiting first. All others: the last changed first. */
  pageAll(filter: TicketFilter, range: Range): Promise<TicketPage>;
  /** With their conversations. */
  removeByAccount(accountId: string): Promise<void>;
  /** Removes up to `limit` tickets that were closed at or before this instant, with their conversations. Returns their number. */
  removeClosed(before: Date, limit: number): Promise<number>;
};

export type PostRepository = {
  /** False when the ticket has a message with this key. */
  add(post: Post): Promise<boolean>;
  /** Oldest first. */
  list(ticketId: string): Promise<Post[]>;
};

export type SupportStore = {
  tickets: TicketRepository;
  posts: PostRepository;
  limits: LimitRepository;
  events: EventPublisher;
};

export type SupportDeps = {
  transaction: Transaction<SupportStore>;
  /** Implemented by identity: the account's verified email, the only address that mails about a ticket are sent to. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** The mailbox of staff. */
  supportEmail: string;
  now: () => Date;
  newId: () => string;
  newToken: NewToken;
  mac: Mac;
  cipher: Cipher;
};
