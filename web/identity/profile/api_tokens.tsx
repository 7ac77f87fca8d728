import { Anchor, Button } from "@mantine/core";
import { IconApi, IconPlus } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { ApiTokens } from "../../api/api_tokens_api.ts";
import { get } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { DialogStack } from "../../ui/dialog/confirmation.tsx";
import { Card } from "../../ui/display/card.tsx";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { PageHead } from "../../ui/frame/page_head.tsx";
import { NewApiToken } from "./api_token_dialog.tsx";
import { ApiTokenEntry, RevokeAllTokens } from "./api_token_entry.tsx";
import lists from "./profile_lists.module.css";
import { ProfileSection } from "./profile_section.tsx";

const tokensQuery = queryOptions({ queryKey: ["/api/tokens"], queryFn: () => get("/api/tokens") });

/** Personal access tokens, with which programs use the API for the account. */
export default function ApiTokensPage() {
  const text = useText();
  const query = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  return (
    <DialogStack>
      <PageHead
        title={text("api_tokens.title")}
        action={
          <Button leftSection={<IconPlus size={20} aria-hidden="true" />} onClick={() => setMaking(true)}>
            {text("api_tokens.make")}
          </Button>
        }
      >
        <p>{text("api_tokens.lead")}</p>
        <Anchor component={Link} to="../developers">
          {text("api_tokens.reference")}
        </Anchor>
      </PageHead>
      <Fetched query={query} failureTitle={text("api_tokens.load_failed")} height={240}>
        {(tokens) => <Tokens tokens={tokens} />}
      </Fetched>
      <NewApiToken opened={making} onClose={() => setMaking(false)} />
    </DialogStack>
  );
}

function Tokens({ tokens: { items, max } }: { tokens: ApiTokens }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  return (
    <>
      {items.length === 0 ? (
        <Card>
          <EmptyState order={2} icon={IconApi} title={text("api_tokens.none_title")}>
            {text("api_tokens.none")}
          </EmptyState>
        </Card>
      ) : (
        <ProfileSection
          id="tokens"
          title={text("api_tokens.count", { count: items.length, max })}
          action={
            <Button variant="default" onClick={() => setAsking(true)}>
              {text("api_tokens.revoke_all")}
            </Button>
          }
        >
          <ul className={`${lists.entries} ${lists.list}`}>
            {items.map((token) => (
              <ApiTokenEntry key={token.id} token={token} />
            ))}
          </ul>
        </ProfileSection>
      )}
      <RevokeAllTokens opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
