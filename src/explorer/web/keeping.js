// What the browser keeps of a script: what was written and not saved, and where somebody was when the program ended.

/** Keeps `drafts` of a script, texts by file, each with the digest of what it was made from. */
export const keepDrafts = (identity, drafts) => keep(`draft:${identity}`, Object.keys(drafts).length === 0 ? null : JSON.stringify(drafts));

/** The drafts that are kept for a page with this start. */
export function draftsOf({ identity, file }) {
  const drafts = kept(`draft:${identity}`);
  try {
    return drafts === null ? {} : JSON.parse(drafts);
  } catch {
    // Earlier versions kept the text of the script alone.
    return { [file]: { text: drafts } };
  }
}

/** Keeps where somebody is: a link, and whether the text in it is somebody else's. `null` keeps nothing. */
export const keepPlace = (identity, place) => keep(`place:${identity}`, place && JSON.stringify(place));

/** Where somebody was, or `null`. It is told once. */
export function takePlace(identity) {
  const place = kept(`place:${identity}`);
  keepPlace(identity, null);
  return place && JSON.parse(place);
}

/** Keeps the values and options that were chosen; others that the program is started with take their place. */
export const keepChosen = ({ identity, definitions }, chosen) => keep(`chosen:${identity}`, JSON.stringify({ given: definitions, chosen }));

/** What was chosen with the same values given, or `null`. */
export function keptChosen({ identity, definitions }) {
  const { given, chosen } = JSON.parse(kept(`chosen:${identity}`) ?? "{}");
  return JSON.stringify(given) === JSON.stringify(definitions) ? chosen : null;
}

/** Keeps `text` under `key`; `null` keeps nothing. */
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing loses drafts when it is closed, and nothing else.
  }
}

/** The text that is kept under `key`, or `null`. */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
