// Entry of every page.
import "../look/index.css";
