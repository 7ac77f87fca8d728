// The two components that show a source's content, alone on a page; a test sets their props.
import { MantineProvider } from "@mantine/core";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import "../../web/styles/mantine.css";
import "../../web/styles/styles.css";
import { cssVariables, theme } from "../../web/app/theme.ts";
import { BreachLogo } from "../../web/shared/breach_logo.tsx";
import { SourceText } from "../../web/shared/source_text.tsx";

type Shown = { logos?: { name: string; title: string; logo: string | null }[]; texts?: string[] };

const nonce = () => document.querySelector<HTMLDataElement>("#style-nonce")?.value ?? "";
const root = createRoot(document.body.appendChild(document.createElement("main")));

Object.assign(window, {
  show({ logos = [], texts = [] }: Shown) {
    const page = (
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
      >
        {logos.map(({ name, ...logo }) => (
          <p key={name} data-name={name}>
            <BreachLogo name={name} {...logo} />
            <BreachLogo name={name} {...logo} large />
          </p>
        ))}
        {texts.map((html, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts of one call do not move
          <SourceText key={index} html={html} />
        ))}
      </MantineProvider>
    );
    flushSync(() => root.render(page));
  },
});
