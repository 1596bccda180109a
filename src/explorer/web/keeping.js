// What the browser keeps of a script: what was written and not saved, and where somebody was when the program ended.

/** Keeps `text` as the draft of the script with this identity; `null` keeps none. */
export const keepDraft = (identity, text) => keep(`draft:${identity}`, text);

/** The draft of a script, or `null`. */
export const draftOf = (identity) => kept(`draft:${identity}`);

/** Keeps where somebody is: a link, and whether the text in it is somebody else's. `null` keeps nothing. */
export const keepPlace = (identity, place) => keep(`place:${identity}`, place && JSON.stringify(place));

/** Where somebody was, or `null`. It is told once. */
export function takePlace(identity) {
  const place = kept(`place:${identity}`);
  keepPlace(identity, null);
  return place && JSON.parse(place);
}

function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing loses drafts when it is closed, and nothing else.
  }
}

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
