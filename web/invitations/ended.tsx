import { IconShieldOff } from "@tabler/icons-react";
import type { ConsentLink } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";

/** The refusal that was just sent. */
export type End = { act: "declined" | "withdrawn"; block: boolean };

type Words = { title: TextId; text: TextId; blocked: TextId };
const WORDS: Record<ConsentLink["kind"], Record<End["act"], Words>> = {
  invitation: {
    declined: { title: "declined.title", text: "declined.text", blocked: "declined.blocked" },
    withdrawn: { title: "withdrawn.title", text: "withdrawn.text", blocked: "withdrawn.blocked" },
  },
  ownership: {
    declined: { title: "ownership.denied", text: "ownership.denied_text", blocked: "declined.blocked" },
    withdrawn: { title: "ownership.ended", text: "withdrawn.text", blocked: "withdrawn.blocked" },
  },
};

/** The state after a refusal. */
export function Ended({ end: { act, block }, link }: { end: End; link: ConsentLink }) {
  const text = useText();
  const words = WORDS[link.kind][act];
  return (
    <>
      <PageHead title={text("consent.title")} />
      <EmptyState order={2} icon={IconShieldOff} title={text(words.title)}>
        {text(block ? words.blocked : words.text, link.inviter)}
      </EmptyState>
    </>
  );
}
