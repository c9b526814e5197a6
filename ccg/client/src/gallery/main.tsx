/** The gallery: everything that is drawn, for looking at while working on it. Not part of the build. */

import { render } from "preact";
import { type CatalogFile, setCatalog, startPreviews } from "../cards";
import "../look/index.css";
import "../site/main";

import { Gallery } from "./Gallery";
import "./gallery.css";

startPreviews();
const answer = await fetch("/dev/catalog.json");
setCatalog((await answer.json()) as CatalogFile);

const root = document.getElementById("gallery");
if (root) render(<Gallery part={location.hash.slice(1)} />, root);
