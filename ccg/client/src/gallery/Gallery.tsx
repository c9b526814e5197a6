import type { ComponentChildren, VNode } from "preact";
import {
  BoardTile,
  Card,
  CardBack,
  type CardFacts,
  CardLine,
  cardFacts,
  currentCatalog,
  Emblem,
  FullCard,
  GhostTile,
  HandTile,
  Icon,
  type IconName,
  Marked,
  Picture,
  type PieceView,
  ResourceStack,
  Thumbnail,
} from "../cards";
import { ICON_SHAPES } from "../cards/icon-shapes";
import { pieceOf } from "../cards/testing";

/** The gallery, or the `part` of it that the address asks for after its "#". */
export function Gallery({ part }: { part: string }): VNode {
  const [sheet, only] = part.split("=");
  if (sheet === "sheet") return <Sheet type={only ?? "ship"} />;
  if (sheet === "tiny") return <Tiny type={only ?? "ship"} />;
  if (sheet === "icons") return <Icons />;
  if (sheet === "full") return <AllFull type={only ?? "ship"} />;
  if (sheet === "thumbnails") return <AllThumbnails type={only ?? "ship"} />;
  if (sheet === "tiles") return <AllTiles />;
  if (sheet === "page") return <PageParts />;
  return <Overview />;
}

const cardsOf = (type: string): CardFacts[] =>
  [...(currentCatalog()?.cards.values() ?? [])].filter((card) => card.type === type);

const piece = (card: string, more: Partial<PieceView> = {}): PieceView =>
  pieceOf(cardFacts(card), { pending: false, ...more });

function State({ words, children }: { words: string; children: ComponentChildren }): VNode {
  return (
    <div class="gallery-state">
      <div>{children}</div>
      <p>{words}</p>
    </div>
  );
}

const WORDED: CardFacts[] = [];

function worded(id: string, text: string, threatText = ""): CardFacts {
  const facts: CardFacts = {
    ...cardFacts(id),
    text: text === "" ? [] : [text],
    threat_text: threatText,
    pending: false,
  };
  WORDED.push(facts);
  return facts;
}

function Overview(): VNode {
  const pilot = "BSG1-099";
  const centurion = "BSG1-112";
  const viper = "BSG1-153";
  const event = "BSG1-019";
  const mission = "BSG1-061";
  const base = "BSG1-002";
  return (
    <main>
      <h1 class="label">Full</h1>
      <div class="gallery-row">
        <FullCard card={worded(pilot, "All your other Pilots get +1 [[icon:power|power]].")} />
        <FullCard
          card={worded(
            centurion,
            "+2 [[icon:power|power]] while challenging.",
            "Every player sacrifices one personnel in reserve.",
          )}
        />
        <FullCard card={viper} />
        <FullCard card={base} />
        <FullCard card={event} />
        <FullCard card={mission} met={true} />
        <FullCard card="BSG1-095" met={false} missing="1 Politician" />
        <FullCard
          card={worded(
            base,
            "[[icon:exhaust|Exhaust]] this base: target challenging unit gets +2 [[icon:power|power]] this phase.",
          )}
        />
      </div>
      <h2 class="label">Thumbnail, board, line</h2>
      <div class="gallery-row">
        {[pilot, centurion, viper, event, mission, base].map((id) => (
          <Thumbnail card={id} key={id} />
        ))}
      </div>
      <div class="gallery-row">
        {[pilot, centurion, viper, mission].map((id) => (
          <BoardTile piece={piece(id)} key={id} />
        ))}
        {[pilot, centurion, viper, event, mission].map((id) => (
          <HandTile card={id} key={id} />
        ))}
        <div style={{ width: "430px" }}>
          {[pilot, viper, event, mission, base].map((id) => (
            <CardLine card={id} key={id} />
          ))}
        </div>
      </div>
      <h2 class="label">States</h2>
      <div class="gallery-row">
        <State words="Exhausted">
          <BoardTile piece={piece("BSG1-122", { exhausted: true })} />
        </State>
        <State words="Challenging, power raised">
          <BoardTile piece={piece(viper, { power: 6 })} state={{ challenging: true }} />
        </State>
        <State words="Defending, power lowered">
          <BoardTile piece={piece("BSG1-164", { power: 0 })} state={{ defending: true }} />
        </State>
        <State words="Choosable">
          <BoardTile
            piece={piece("BSG1-136")}
            state={{ choosable: true }}
            onClick={() => {}}
            says={["can challenge"]}
          />
        </State>
        <State words="Chosen">
          <BoardTile piece={piece("BSG1-136")} state={{ chosen: true }} onClick={() => {}} />
        </State>
        <State words="Unit stack of three">
          <BoardTile piece={piece("BSG1-138", { beneath: ["BSG1-136", "BSG1-135"] })} />
        </State>
        <State words="Linked mission">
          <BoardTile
            piece={piece("BSG1-163", { power: 2, links: [{ id: 91, card: "BSG1-065", owner: 0, exhausted: false }] })}
          />
        </State>
        <State words="Pending ability">
          <BoardTile piece={piece("BSG1-131", { pending: true })} />
        </State>
        <State words="Cylon threat">
          <BoardTile
            piece={piece("BSG1-112", { role: "threat", power: 4 })}
            state={{ choosable: true }}
            onClick={() => {}}
          />
        </State>
        <State words="Resource stack, makes 3">
          <ResourceStack piece={piece(base, { supplies: 2, yields: 3 })} />
        </State>
        <State words="Proposed payment">
          <ResourceStack
            piece={piece(base, { supplies: 2, yields: 3 })}
            state={{ proposed: true }}
            tag="Pays 2 · 1 left"
          />
        </State>
        <State words="Spent">
          <ResourceStack piece={piece("BSG1-125", { role: "asset", supplies: 1, yields: 2, exhausted: true })} />
        </State>
        <State words="Asset alone, choosable">
          <ResourceStack piece={piece("BSG1-120", { role: "asset" })} state={{ choosable: true }} onClick={() => {}} />
        </State>
        <State words="Card back, deck">
          <CardBack count={31} />
        </State>
        <State words="Ghost">
          <GhostTile card={viper} doing="challenge" />
        </State>
      </div>
      <div class="gallery-row">
        <HandTile card={event} state={{ choosable: true }} onClick={() => {}} says={["can be played"]} />
        <HandTile card="BSG1-021" state={{ chosen: true }} onClick={() => {}} />
        <HandTile card={viper} state={{ quiet: true }} />
        <p class="prose">
          <Marked text="[[seat:0|Ana]] plays [[card:BSG1-027|Fire Support]] for 2 [[icon:security|security]]: [[card:BSG1-099|Apollo]] challenges with [[card:BSG1-153|Colonial Viper 762]] for [[card:BSG1-061|CAG]] at [[card:BSG1-002|Galactica]]." />
        </p>
        <Card card="BSG1-100" size="thumbnail" />
      </div>
    </main>
  );
}

function Sheet({ type }: { type: string }): VNode {
  return (
    <div class={`gallery-sheet ${type === "base" ? "is-bases" : ""}`}>
      {cardsOf(type).map((card) => (
        <figure key={card.id}>
          <Picture card={card} />
          <figcaption>{card.name}</figcaption>
        </figure>
      ))}
    </div>
  );
}

function Tiny({ type }: { type: string }): VNode {
  return (
    <div class="gallery-tiny">
      {cardsOf(type).map((card) => (
        <Picture card={card} key={card.id} />
      ))}
    </div>
  );
}

function AllFull({ type }: { type: string }): VNode {
  return (
    <div class="gallery-row">
      {cardsOf(type).map((card) => (
        <FullCard card={card} key={card.id} />
      ))}
    </div>
  );
}

function AllThumbnails({ type }: { type: string }): VNode {
  return (
    <div class="card-grid">
      {cardsOf(type).map((card) => (
        <Thumbnail card={card} key={card.id} />
      ))}
    </div>
  );
}

function AllTiles(): VNode {
  const cards = [...(currentCatalog()?.cards.values() ?? [])];
  return (
    <div class="card-grid">
      {cards.map((card) =>
        card.type === "base" ? (
          <ResourceStack piece={piece(card.id)} key={card.id} />
        ) : (
          <BoardTile piece={piece(card.id)} key={card.id} />
        ),
      )}
    </div>
  );
}

function Icons(): VNode {
  return (
    <div class="gallery-icons">
      {(Object.keys(ICON_SHAPES) as IconName[]).map((name) => (
        <div key={name} class={`icon-${name}`}>
          <Icon name={name} size={16} />
          <Icon name={name} size={24} />
          <Icon name={name} size={48} />
          {name}
        </div>
      ))}
      <div>
        <Emblem size={28} />
        <Emblem size={54} /> emblem
      </div>
    </div>
  );
}

function PageParts(): VNode {
  return (
    <>
      <header class="site-header">
        <a class="brand" href="#page">
          <Emblem size={25} /> Ragtag Fleet
        </a>
        <nav class="site-nav" aria-label="Main">
          <a href="#page" aria-current="page">
            Play
          </a>
          <a href="#page">Cards</a>
          <a href="#page">Decks</a>
        </nav>
        <div class="site-tools">
          <button type="button" class="button button-small button-quiet" data-theme-switch>
            Theme
          </button>
          <a href="#page">Ana</a>
        </div>
      </header>
      <section class="hero">
        <div class="hero-picture">
          <img src="/hero.svg" alt="" />
        </div>
        <div class="hero-words">
          <h1>
            Hold the fleet together.
            <br />
            <em>Or tear it apart.</em>
          </h1>
          <p>The 2006 Battlestar Galactica card game, in your browser.</p>
          <div class="row">
            <button type="button" class="button button-primary button-large">
              <Icon name="play" size={18} /> Play now
            </button>
            <button type="button" class="button button-large">
              Find an opponent
            </button>
          </div>
          <p class="small">No account needed.</p>
        </div>
      </section>
      <ul class="messages">
        <li class="message success">Deck saved.</li>
        <li class="message error">That link is no longer valid.</li>
      </ul>
      <main class="page">
        <div class="page-head">
          <div>
            <h1>Decks</h1>
            <p>Lists that are legal today, and yours.</p>
          </div>
          <a class="button button-primary" href="#page">
            New deck
          </a>
        </div>
        <div class="columns">
          <div class="stack">
            <div class="panel">
              <h2>My matches</h2>
              <table>
                <thead>
                  <tr>
                    <th>Opponent</th>
                    <th>Turn</th>
                    <th class="number">Influence</th>
                  </tr>
                </thead>
                <tbody>
                  <tr>
                    <td>Bob</td>
                    <td>6</td>
                    <td class="number">9</td>
                  </tr>
                  <tr>
                    <td>The computer</td>
                    <td>2</td>
                    <td class="number">14</td>
                  </tr>
                </tbody>
              </table>
            </div>
            <div class="grid">
              <a class="panel" href="#page">
                <h3>Viper Wing</h3>
                <p class="quiet">
                  Ana · Battlestar Galactica <span class="chip chip-good">Legal</span>
                </p>
              </a>
              <label class="choice">
                <input type="radio" name="deck" checked />
                <div class="panel">
                  <h3>Quorum Call</h3>
                  <p class="quiet">Persuasion and security</p>
                </div>
              </label>
            </div>
            <div class="panel empty">
              <Emblem size={48} />
              <p>No matches yet.</p>
              <button type="button" class="button">
                Play the computer
              </button>
            </div>
          </div>
          <form class="panel stack gap-4">
            <div class="field">
              <label for="name">Name of the deck</label>
              <input id="name" placeholder="Viper Wing" />
              <span class="help">Anything up to 60 letters.</span>
            </div>
            <div class="field field-wrong">
              <label for="list">List</label>
              <textarea id="list" class="list">
                4x Starbuck, Hotshot Pilot
              </textarea>
              <ul class="errorlist">
                <li>Line 3: no card has this name.</li>
              </ul>
            </div>
            <label class="check">
              <input type="checkbox" /> Open to everybody
            </label>
            <div class="form-actions">
              <button type="button" class="button button-primary">
                Save <kbd>Enter</kbd>
              </button>
              <button type="button" class="button">
                Cancel
              </button>
              <button type="button" class="button" disabled>
                Publish
              </button>
            </div>
          </form>
        </div>
      </main>
    </>
  );
}
