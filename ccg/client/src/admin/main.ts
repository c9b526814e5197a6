/** Entry of Django's own admin pages: their variables in our colours, the theme, and what screen readers lack. */

import "./admin.css";
import { startTheme } from "../site/theme";
import { tellScreenReaders } from "./markup";

startTheme();
// Django's own scripts make the pickers when the page has loaded, and were asked before.
window.addEventListener("load", () => tellScreenReaders());
