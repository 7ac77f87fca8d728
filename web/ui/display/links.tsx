import { Anchor, type AnchorProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
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

/** A link to another page that opens in a new tab, so that the open one keeps its input. */
export function NewTab({ page, ...look }: AnchorProps & { page: string; children: ReactNode }) {
  const { lang } = useParams();
  return <Anchor href={`/${lang}/${page}`} target="_blank" rel="noopener" underline="always" {...look} />;
}
