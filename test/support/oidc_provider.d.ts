/** The part of oidc-provider that the tests use; it brings no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Account = { accountId: string; claims(): Promise<Record<string, unknown>> };
  export default class Provider {
    proxy: boolean;
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
  }
  export type { Account };
}
