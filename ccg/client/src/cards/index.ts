import "./cards.css";

/** Everything the other parts of the client use of the cards. */

export { Card, type CardSize } from "./Card";
export { type CardAction, type CardActions, setCardActions } from "./card-actions";
export {
  type Catalog,
  type CatalogFile,
  cardFacts,
  currentCatalog,
  knowsCard,
  loadCatalog,
  onCatalog,
  setCatalog,
  useCard,
  useCatalog,
  versionOfPage,
} from "./catalog";
export { costWords, describeCard, describePiece } from "./describe";
export { FullCard, type FullCardProps } from "./FullCard";
export { type CardFacts, headOf, isUnit, type KeywordFact, requirementWords, tailOf, typeWord } from "./facts";
export { isIconName } from "./icon-shapes";
export { Emblem, Icon, type IconName, type IconProps } from "./icons";
export { LatePicture } from "./LatePicture";
export { CardName, Marked, type MarkedProps } from "./marked";
export { type MarkedPart, markedParts, plainText } from "./marked-text";
export { Picture } from "./Picture";
export { CostRow, CostTabs, changeOf, MysticBox, PowerShield, Stat, ThreatBox } from "./parts";
export { type PreviewOptions, startPreviews } from "./preview";
export { CardLine, type CardLineProps, Thumbnail } from "./SmallCards";
export {
  BoardTile,
  type BoardTileProps,
  CardBack,
  type CardBackProps,
  GhostTile,
  type GhostTileProps,
  HandTile,
  type HandTileProps,
  ResourceStack,
  type ResourceStackProps,
  type TileProps,
  type TileState,
} from "./tiles";
export {
  type CardId,
  type CardType,
  type Cost,
  type PieceView,
  RESOURCES,
  type Resource,
  type Role,
} from "./view-types";
