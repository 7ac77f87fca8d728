import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { createElement } from "react";

const bell: MantineColorsTuple = [
  "#eef4ff",
  "#dde8ff",
  "#bdd2ff",
  "#93b5fd",
  "#6893f7",
  "#3563df",
  "#2455d6",
  "#1d45b3",
  "#1b3b93",
  "#1a3377",
];
const gray: MantineColorsTuple = [
  "#f5f7fb",
  "#edf1f7",
  "#e1e7f0",
  "#cfd7e3",
  "#aab5c5",
  "#808ea3",
  "#5f6d83",
  "#4a576c",
  "#313c4f",
  "#1c2536",
];
const dark: MantineColorsTuple = [
  "#e6ebf3",
  "#b4bfcf",
  "#94a1b5",
  "#6d7a90",
  "#3d495c",
  "#2d3747",
  "#1b2330",
  "#111722",
  "#0c111a",
  "#080c13",
];

const ARROW = createElement(IconChevronDown, { size: 16, "aria-hidden": true });

export const theme = createTheme({
  colors: { bell, gray, dark },
  primaryColor: "bell",
  primaryShade: { light: 6, dark: 5 },
  black: "#1c2536",
  defaultRadius: "md",
  radius: { sm: "0.375rem", md: "0.625rem", lg: "0.75rem" },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.625rem", lineHeight: "1.25" },
      h2: { fontSize: "1.1875rem", lineHeight: "1.35" },
      h3: { fontSize: "1rem", lineHeight: "1.4" },
      h4: { fontSize: "0.9375rem", lineHeight: "1.45" },
      h5: { fontSize: "0.875rem", lineHeight: "1.5" },
    },
  },
  cursorType: "pointer",
  components: {
    // Mantine's own arrow is an image without an accessible name.
    NativeSelect: { defaultProps: { rightSection: ARROW } },
    Select: { defaultProps: { rightSection: ARROW, rightSectionPointerEvents: "none" } },
  },
  respectReducedMotion: true,
});

/** Mantine's default greys and reds for text fail WCAG AA contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f5f7fb",
    "--mantine-color-dimmed": "#526077",
    "--mantine-color-placeholder": "#667388",
    "--mantine-color-error": "#b42318",
    "--mantine-color-anchor": "#1d4fc4",
    "--mantine-color-default-border": "#c3ccd9",
  },
  dark: {
    "--mantine-color-body": "#111722",
    "--mantine-color-bell-light": "#20345f",
    "--mantine-color-bell-light-hover": "#294176",
    "--mantine-color-bell-light-color": "#c3d6ff",
    "--mantine-color-dimmed": "#a6b2c4",
    "--mantine-color-placeholder": "#8b98ad",
    "--mantine-color-error": "#ff9b91",
    "--mantine-color-anchor": "#8fb2ff",
    "--mantine-color-default-border": "#3f4b5f",
  },
});
