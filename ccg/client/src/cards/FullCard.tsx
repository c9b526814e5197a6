import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useCard } from "./catalog";
import { describeCard } from "./describe";
import { type CardFacts, headOf, requirementWords, tailOf, typeWord } from "./facts";
import { fitText } from "./fit";
import { Icon } from "./icons";
import { keywordReminder, keywordWord } from "./keywords";
import { Marked } from "./marked";
import { Picture } from "./Picture";
import { CostRow, CostTabs, Makes, MysticBox, PowerShield, printingWords, ThreatBox } from "./parts";

export interface FullCardProps {
  card: string | CardFacts;
  /** Whether a mission could be resolved now; with it the requirement gets a check or a cross. */
  met?: boolean;
  /** What is missing when it could not. */
  missing?: string;
  /** Numbers as they are now, where they differ from the print. */
  power?: number;
  class?: string;
}

/** The whole card, 320 × 448 (bases 448 × 320); the custom property --card-scale resizes it as one. */
export function FullCard({ card, met, missing, power, class: extra = "" }: FullCardProps): VNode {
  const facts = useCard(card);
  const Face = facts.type === "base" ? BaseFace : UprightFace;
  return (
    <article
      class={`card card-full type-${facts.type} ${facts.type === "base" ? "is-landscape" : ""} ${extra}`}
      aria-label={describeCard(facts)}
      data-card={facts.id}
    >
      <div class="card-frame">
        <div class="card-plate">
          <span class="card-stripe" />
          <CardHead card={facts} />
          <Face card={facts} met={met} missing={missing} power={power} />
        </div>
      </div>
    </article>
  );
}

function CardHead({ card }: { card: CardFacts }): VNode {
  const head = headOf(card);
  const tail = tailOf(card);
  const room = card.type === "base" ? 330 : 232;
  const fit = fitText(
    head,
    room,
    [
      [25, 1],
      [22, 1],
      [19.5, 1],
      [18, 2],
    ],
    { capitals: true, tracking: 0.03 },
  );
  const small = fitText(
    tail,
    room,
    [
      [15.5, 1],
      [14, 1],
      [13, 1],
      [12, 2],
    ],
    { tracking: 0.02 },
  );
  return (
    <header class="card-head">
      <div class="card-names">
        <h3 class="card-title" style={{ fontSize: `${fit.size}px` }}>
          {head}
        </h3>
        <p
          class={tail ? "card-subtitle" : "card-subtitle card-kind"}
          style={tail ? { fontSize: `${small.size}px` } : {}}
        >
          {tail || typeWord(card.type)}
        </p>
      </div>
      <Icon name={card.type} size={24} label={typeWord(card.type)} class="card-type-icon" />
    </header>
  );
}

interface FaceProps {
  card: CardFacts;
  met?: boolean;
  missing?: string;
  power?: number;
}

function UprightFace({ card, met, missing, power }: FaceProps): VNode {
  return (
    <>
      <div class="card-picture">
        <div class="card-picture-cut">
          <Picture card={card} />
        </div>
        <CostTabs cost={card.cost} icon={18} />
        {card.mystic !== null && <MysticBox value={card.mystic} icon={18} />}
      </div>
      <div class="card-traits">
        <span>{card.traits.length > 0 ? card.traits.join(" · ") : typeWord(card.type)}</span>
        <span class="card-number">{printingWords(card)}</span>
      </div>
      <div ref={useShrinking(card)} class="card-box">
        {card.power !== null && <PowerShield value={power ?? card.power} printed={card.power} size={44} />}
        {card.requires.length > 0 && <Requirement card={card} met={met} missing={missing} />}
        <CardText card={card} />
      </div>
      <footer class="card-foot">
        <Makes resource={card.produces} />
        {card.threat !== null && <ThreatBox value={card.threat} icon={18} />}
      </footer>
    </>
  );
}

function BaseFace({ card, power }: FaceProps): VNode {
  return (
    <>
      <div class="card-picture">
        <div class="card-picture-cut">
          <Picture card={card} />
        </div>
      </div>
      <div class="card-side">
        {card.hand !== null && (
          <div class="card-figure">
            <span>
              <Icon name="hand" /> Hand
            </span>
            <b>{card.hand}</b>
          </div>
        )}
        {card.influence !== null && (
          <div class="card-figure">
            <span>
              <Icon name="influence" class="icon-influence" /> Influence
            </span>
            <b>{card.influence}</b>
          </div>
        )}
        <div ref={useShrinking(card)} class="card-words">
          <CardText card={card} />
        </div>
      </div>
      <footer class="card-foot">
        {card.power !== null && <PowerShield value={power ?? card.power} printed={card.power} size={42} />}
        <Makes resource={card.produces} />
        <span class="card-number">{printingWords(card)}</span>
      </footer>
    </>
  );
}

function Requirement({ card, met, missing }: { card: CardFacts; met?: boolean; missing?: string }): VNode {
  return (
    <p class="card-requirement">
      {met !== undefined && (
        <Icon
          name={met ? "check" : "cross"}
          size={15}
          label={met ? "Can be met" : "Cannot be met"}
          class={met ? "good" : "bad"}
        />
      )}
      <span>
        Resolve with <b>{requirementWords(card.requires)}</b>
        {missing && <span class="bad">, missing {missing}</span>}
      </span>
    </p>
  );
}

function CardText({ card }: { card: CardFacts }): VNode {
  return (
    <>
      {card.keywords.map((keyword) => (
        <p key={keyword.name}>
          <b class="card-keyword" data-term={keyword.name}>
            {keywordWord(keyword)}
          </b>{" "}
          {keyword.cost && <CostRow cost={keyword.cost} />}{" "}
          <i class="card-reminder">{keywordReminder(card, keyword)}</i>
        </p>
      ))}
      {card.text.map((paragraph) => (
        <p key={paragraph}>
          <Marked text={paragraph} links={false} />
        </p>
      ))}
      {card.threat_text && (
        <p class="card-threat-text">
          <Icon name="threat" size={18} label="Revealed as a Cylon threat:" />
          <span>
            <Marked text={card.threat_text} links={false} />
          </span>
        </p>
      )}
      {card.pending && (
        <p class="card-pending" title="This card plays as its facts until its ability is written.">
          <Icon name="pending" size={14} /> Ability not yet played
        </p>
      )}
    </>
  );
}

const SMALLEST = 6;

const wordClass = (step: number): string => `is-wordy-${step}`;

/** The box of the text, set smaller step by step until the text fits; from the second on without reminders. */
function useShrinking(card: CardFacts): RefObject<HTMLDivElement> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = box.current;
      if (!element) return;
      for (let step = 0; step <= SMALLEST; step++) {
        for (let one = 1; one <= SMALLEST; one++) element.classList.toggle(wordClass(one), one === step);
        if (element.scrollHeight <= element.clientHeight + 1) return;
      }
    };
    measure();
    // The letters of a font that comes later are of another width.
    document.fonts?.addEventListener("loadingdone", measure);
    return () => document.fonts?.removeEventListener("loadingdone", measure);
  }, [card]);
  return box;
}
