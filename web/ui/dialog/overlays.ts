/** What lies above a page, with all it takes to hold the focus and the scrolling: fetched when there is something to open. */
export { Drawer, Modal } from "@mantine/core";
