import type { EventPublisher } from "../events/catalogue.ts";
import type { Mac, NewToken, Seal } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { LimitRepository } from "./limit_ports.ts";
import type { Post, Priority, Ticket, TicketKind, TicketState, TicketType } from "./ticket.ts";

export type Range = { offset: number; limit: number };
export type TicketPage = { tickets: Ticket[]; total: number };

/** Undefined: any. `reference`: how it begins; "" for any. */
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
  /** What the account sent under this key. */
  findByKey(accountId: string, key: string): Promise<Ticket | undefined>;
  find(reference: string): Promise<Ticket | undefined>;
  /** The same, and nobody else can change it before this transaction ends. */
  hold(reference: string): Promise<Ticket | undefined>;
  /** Of one that is held. */
  setState(ticket: Pick<Ticket, "id" | "state" | "changedAt" | "closedAt">): Promise<void>;
  /** Of one account, the last changed first. */
  pageOwn(accountId: string, kind: TicketKind, range: Range): Promise<TicketPage>;
  /**
   * Of all accounts. Open ones: the most urgent first, of those the one that waits longest. All others: the last
   * changed first.
   */
  pageAll(filter: TicketFilter, range: Range): Promise<TicketPage>;
  /** With their conversations. */
  removeByAccount(accountId: string): Promise<void>;
  /** At most `limit` that were closed at or before this moment, with their conversations. Returns how many. */
  removeClosed(before: Date, limit: number): Promise<number>;
};

export type PostRepository = {
  /** False when the ticket has one with this key. */
  add(post: Post): Promise<boolean>;
  /** The oldest first. */
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
  /** Asked of identity: the account's email, once it is proven. Mail about a ticket goes there and nowhere else. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Where the staff reads its mail. */
  supportEmail: string;
  now: () => Date;
  newId: () => string;
  newToken: NewToken;
  mac: Mac;
  seal: Seal;
};
