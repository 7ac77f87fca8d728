import type { Device } from "../sign_in/device.ts";

/** A security event of an account, for its owner and for investigations. Contains no secrets. */
export type AuditEvent = {
  id: string;
  at: Date;
  /** Undefined once the account is deleted, or when there never was one. */
  accountId: string | undefined;
  event:
    | "registered"
    | "password_wrong"
    | "sign_in_started"
    | "code_wrong"
    | "locked"
    | "signed_in"
    | "signed_out"
    | "signed_out_at_provider"
    | "session_ended"
    | "other_sessions_ended"
    | "reset_requested"
    | "password_reset"
    | "password_changed"
    | "details_changed"
    | "email_change_requested"
    | "email_changed"
    | "authenticator_added"
    | "authenticator_removed"
    | "passkey_added"
    | "passkey_renamed"
    | "passkey_removed"
    | "recovery_codes_made"
    | "recovery_code_used"
    | "provider_linked"
    | "provider_unlinked"
    | "terms_accepted"
    | "api_token_created"
    | "api_token_revoked"
    | "api_tokens_revoked"
    | "data_exported"
    | "locked_by_operator"
    | "unlocked_by_operator"
    | "factors_reset_by_operator"
    | "reset_link_made_by_operator"
    | "account_deleted";
  /** The first characters of the session token's hash. */
  sessionMark: string | undefined;
  ipPrefix: string | undefined;
  device: Device;
  /** Details: the method, a passkey's name, a provider. */
  detail: Record<string, string>;
};

export type AuditRepository = {
  add(event: AuditEvent): Promise<void>;
  /** Newest first. */
  list(accountId: string, since: Date, limit: number): Promise<AuditEvent[]>;
  /** Removes the reference to the account and keeps the events. */
  forget(accountId: string): Promise<void>;
  removeBefore(before: Date): Promise<void>;
};
