// The view that is seen. Those that were seen before stay as they are, and go on with what they do.
import { htm, h, render, Component } from "./vendor.js";

const html = htm.bind(h);

/**
 * Shows the view `name`, which the component `View` draws. A view that is not seen is out of the document: nothing in
 * it is found by its name, takes keys, or is drawn anew with each letter that somebody types.
 */
export class Stage extends Component {
  constructor() {
    super();
    this.places = new Map();
    this.seen = null;
  }

  componentDidMount() {
    this.show();
  }

  componentDidUpdate() {
    this.show();
  }

  show() {
    const { name, View, app } = this.props;
    if (!this.places.has(name)) this.places.set(name, { element: document.createElement("div"), scrolled: [] });
    const place = this.places.get(name);
    const isNew = place !== this.seen;
    // A view measures itself while it is drawn, so it has to be in the document before.
    if (isNew) {
      if (this.seen) this.seen.scrolled = this.scrolled();
      this.frame.replaceChildren(place.element);
      this.seen = place;
    }
    render(html`<${View} app=${app} />`, place.element);
    if (isNew) for (const { element, left, top } of place.scrolled) element.scrollTo(left, top);
  }

  /** Where everything is that can be scrolled: it can be reached by keys. Browsers forget that of what leaves the document. */
  scrolled() {
    const all = [this.frame, ...this.frame.querySelectorAll("[tabindex='0']")];
    return all.map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop }));
  }

  render({ name }) {
    return html`<div class="view" id="view" role="tabpanel" aria-labelledby=${`tab-${name}`} tabindex="0" ref=${(frame) => (this.frame = frame)}></div>`;
  }
}
