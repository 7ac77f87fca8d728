import { Checkbox, Title } from "@mantine/core";
import { IconDeviceLaptop } from "@tabler/icons-react";
import type { Traces } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import listHead from "../shared/list_head.module.css";
import { Notice } from "../ui/display/notice.tsx";
import { ShowAll, useFirst } from "./show_all.tsx";
import { useTickSites } from "./trace_mutations.ts";
import classes from "./traces.module.css";

type Props = { address: string; sites: NonNullable<Traces["sites"]> };

/** The websites of a stealer log as a checklist, below what has to be done first. They are text, never links. */
export function Sites({ address, sites }: Props) {
  const text = useText();
  const { shown, tick } = useTickSites(address, sites);
  const { first, hidden, showAll } = useFirst(shown);
  const done = shown.filter((one) => one.done).length;
  return (
    <>
      <CleanFirst />
      <section>
        <div className={listHead.head}>
          <Title order={3} size="h5">
            {text("traces.sites")}
          </Title>
          <p role="status" className={listHead.progress} data-complete={done === shown.length || undefined}>
            {text("traces.progress", { done, total: shown.length })}
          </p>
        </div>
        <p className={classes.soft}>{text("traces.sites_hint")}</p>
        <ul className={classes.list}>
          {first.map(({ site, done: isDone }) => (
            <li key={site} data-done={isDone || undefined}>
              <Checkbox
                checked={isDone}
                onChange={({ currentTarget }) => tick(site, currentTarget.checked)}
                label={site}
              />
            </li>
          ))}
        </ul>
        <ShowAll hidden={hidden} total={shown.length} onShow={showAll} />
      </section>
    </>
  );
}

function CleanFirst() {
  const text = useText();
  return (
    <Notice icon={IconDeviceLaptop} tone="alarm">
      <strong>{text("traces.clean_title")}</strong>
      <div>{text("traces.clean_text")}</div>
      <ol className={classes.clean}>
        <li>{text("traces.clean_1")}</li>
        <li>{text("traces.clean_2")}</li>
        <li>{text("traces.clean_3")}</li>
      </ol>
    </Notice>
  );
}
