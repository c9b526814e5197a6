/** Entry of every page: styles, cards in pages, previews, theme. */

import "../look/index.css";
import "../cards/cards.css";
import { defineCardElement } from "../cards/element";
import { startPreviews } from "../cards/preview";
import { startTheme } from "./theme";

startTheme();
defineCardElement();
startPreviews();
