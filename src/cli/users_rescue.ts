import { done, failed, text } from "./answer.ts";
import { command } from "./command.ts";
import { account, accountCommand, reason, UNSAID, unfitReason } from "./users_act.ts";
import { many } from "./words.ts";

const NOT_VERIFIED = "Its owner has not proven the address yet: whoever registers it again chooses a password";

export const resetFactors = accountCommand({
  name: "users reset-factors",
  says: "Remove the passkeys, the authenticator app and the recovery codes of an account",
  more: "For somebody who has lost all of them: a code by mail is the second step again. Every session ends, and the owner is told by mail. First make sure that it is the owner who asks.",
  options: { reason },
  examples: ['users reset-factors ada@example.com --reason "Lost the phone, recognised by voice"'],
  asks: ({ arguments: [typed] }) => `Remove every passkey, authenticator app and recovery code of ${typed}?`,
  act: ({ identity }, id, { why }) => identity.resetFactors(id, { reason: why }),
  done: () => "the second step is a code by mail",
  facts: () => ({ secondStep: "email" }),
});

export const unlink = accountCommand({
  name: "users unlink",
  says: "Unlink an account from every sign-in provider",
  more: "For somebody whom the provider knows by a new identity, as after a move to another one: the next login there links it anew. Every session ends, and the owner is told by mail. First make sure that it is the owner who asks.",
  options: { reason },
  examples: ['users unlink ada@example.com --reason "We have moved to another provider"'],
  asks: ({ arguments: [typed] }) => `Unlink ${typed} from every sign-in provider?`,
  act: ({ identity }, id, { why }) => identity.unlinkAll(id, { reason: why }),
  done: () => "no provider is linked",
  facts: () => ({ providers: [] }),
});

export const resetPassword = command({
  name: "users reset-password",
  says: "Make a link with which a new password can be chosen",
  more: "For somebody whom no mail reaches: hand the link over yourself. It works once, and whoever has it can use it; a strong second step is still asked for. The owner is told by mail. First make sure that it is the owner who asks.",
  arguments: [account],
  options: { reason },
  examples: ["users reset-password ada@example.com"],
  room: "app",
  changes: true,
  refuses: unfitReason,
  async run({ config, product }, { arguments: [typed = ""], options }) {
    const found = await product.identity.accountNamed(typed);
    if (!found.ok) return failed("NOT_FOUND", `There is no account "${typed}"`);
    if (config.providersOnly) return failed("PASSWORDS_OFF", "There are no passwords (OIDC_ONLY): see `users unlink`");
    const { accountId } = found.value;
    const made = await product.identity.makeResetLink(accountId, { reason: options.reason ?? UNSAID });
    if (!made.ok) return failed(made.code, made.code === "STAFF_UNVERIFIED" ? NOT_VERIFIED : "The account is gone");
    const { token, language, minutes } = made.value;
    const link = `${config.publicUrl}/${language}/reset-password#t=${token}`;
    return done(
      { accountId, link, minutes },
      text(link),
      text(`It works once, within ${many(minutes, "minute")}.`, "dim"),
    );
  },
});
