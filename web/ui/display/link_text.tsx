import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "react-router";
import { Text } from "../../app/i18n.tsx";
import type { TextId } from "../../app/text_id.ts";

type Props = AnchorProps & { id: TextId; to: string };

/** A text whose `<link>` leads to another page. */
export function LinkText({ id, to, ...look }: Props) {
  return (
    <Text
      id={id}
      values={{
        link: (parts) => (
          <Anchor key="link" component={Link} to={to} underline="always" {...look}>
            {parts}
          </Anchor>
        ),
      }}
    />
  );
}
