/** Entry of Django's own admin pages: their variables in our colours, and the theme. */

import "./admin.css";
import { startTheme } from "../site/theme";

startTheme();
