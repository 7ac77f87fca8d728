import { Button } from "@mantine/core";
import { useState } from "react";
import { toast } from "sonner";
import type { ApiToken } from "../../api/api_tokens_api.ts";
import { post, remove } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { Ago } from "../../ui/display/dates.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import { ConfirmAccountAction } from "./account_action.tsx";
import { SCOPE_WORDS } from "./api_token_scopes.ts";
import classes from "./profile.module.css";
import lists from "./profile_lists.module.css";
import { focusSection } from "./profile_section.tsx";

/** One token with its scopes, expiry and last use. */
export function ApiTokenEntry({ token }: { token: ApiToken }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  const { name, scopes } = token;
  return (
    <li className={lists.entry}>
      <div className={lists.entryWords}>
        <p className={lists.name}>
          <span className="breakable">{name}</span>
          {scopes.map((scope) => (
            <Badge key={scope} tone="accent">
              {text(SCOPE_WORDS[scope].name)}
            </Badge>
          ))}
        </p>
        <Life token={token} />
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={text("api_tokens.revoke_label", { name })}
        onClick={() => setAsking(true)}
      >
        {text("api_tokens.revoke")}
      </Button>
      <RevokeToken token={token} opened={asking} onClose={() => setAsking(false)} />
    </li>
  );
}

function Life({ token: { createdAt, expiresAt, expired, lastUsedAt, lastIpPrefix } }: { token: ApiToken }) {
  const text = useText();
  const formatDate = useFormatDate();
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium" });
  return (
    <p className={classes.detail}>
      {text("api_tokens.created", { date: day(createdAt) })}
      {" · "}
      {expiresAt === null
        ? text("api_tokens.never_expires")
        : text(expired ? "api_tokens.expired" : "api_tokens.expires", { date: day(expiresAt) })}
      {" · "}
      {lastUsedAt === null ? (
        text("api_tokens.unused")
      ) : (
        <>
          {text("api_tokens.used")} <Ago iso={lastUsedAt} />
          {lastIpPrefix !== null && ` ${text("api_tokens.network", { network: lastIpPrefix })}`}
        </>
      )}
    </p>
  );
}

type RevokeProps = { opened: boolean; onClose: () => void };

function RevokeToken({ token: { id, name }, opened, onClose }: RevokeProps & { token: ApiToken }) {
  const text = useText();
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("api_tokens.revoke_title")}
      confirmLabel={text("api_tokens.revoke")}
      call={() => remove("/api/tokens/:id", { params: { id } })}
      changes={["/api/tokens"]}
      failureTitle="api_tokens.revoke_failed"
      onDone={() => {
        toast.success(text("api_tokens.revoked", { name }));
        focusSection("tokens");
      }}
      onClose={onClose}
    >
      <span className="breakable">{text("api_tokens.revoke_text", { name })}</span>
    </ConfirmAccountAction>
  );
}

export function RevokeAllTokens({ opened, onClose }: RevokeProps) {
  const text = useText();
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("api_tokens.revoke_all_title")}
      confirmLabel={text("api_tokens.revoke_all")}
      call={() => post("/api/tokens/revoke-all")}
      changes={["/api/tokens"]}
      failureTitle="api_tokens.revoke_failed"
      onDone={({ revoked }) => toast.success(text("api_tokens.revoked_all", { count: revoked }))}
      onClose={onClose}
    >
      {text("api_tokens.revoke_all_text")}
    </ConfirmAccountAction>
  );
}
