import { Group, Pagination } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

type Props = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

/** Page numbers; nothing if there is only one page. */
export function Pager({ page, pageSize, total, onPage }: Props) {
  const text = useText();
  const pages = Math.ceil(total / pageSize);
  if (pages < 2) return null;
  const direction = {
    previous: "pager.previous",
    next: "pager.next",
    first: "pager.first",
    last: "pager.last",
  } as const;
  return (
    <Group component="nav" justify="center" mt="lg" aria-label={text("pager.label")}>
      <Pagination
        total={pages}
        value={page}
        onChange={onPage}
        siblings={0}
        size="md"
        getItemProps={(item) => ({ "aria-label": text("pager.page", { page: item }) })}
        getControlProps={(control) => ({ "aria-label": text(direction[control]) })}
      />
    </Group>
  );
}
