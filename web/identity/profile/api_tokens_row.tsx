import { Button } from "@mantine/core";
import { IconApi } from "@tabler/icons-react";
import { Link } from "react-router";
import { useText } from "../../app/i18n.tsx";
import { ProfileRow } from "./profile_section.tsx";

/** A link to the personal access tokens. */
export function ApiTokensRow() {
  const text = useText();
  return (
    <ProfileRow
      icon={IconApi}
      title={text("security.tokens")}
      action={
        <Button variant="default" component={Link} to="../api-tokens">
          {text("security.tokens_open")}
        </Button>
      }
    >
      {text("security.tokens_text")}
    </ProfileRow>
  );
}
