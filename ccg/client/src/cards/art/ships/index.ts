/** Everything that flies. */

export { distant, type Hull, hull, type Ship } from "./hull";
export { baseStar, capital, carrier, liner, station } from "./large";
export { fighter, heavyRaider, raider, scout, shuttle } from "./small";
export { type Module, planTransport, type TransportPlan, transport } from "./transports";
