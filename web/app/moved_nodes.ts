/**
 * Browser translation replaces React's text nodes, and React then throws when it removes or inserts next to them, which
 * takes down the whole page. These patches use the node's current position, or ignore it
 * (https://github.com/facebook/react/issues/11538).
 */
export function tolerateMovedNodes(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    if (this.contains(child)) child.parentNode?.removeChild(child);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    return insertBefore.call(this, child, placeIn(this, before)) as Child;
  };
}

/** The direct child of `parent` that is or contains `node`; null (append at the end) when it is not inside. */
function placeIn(parent: Node, node: Node | null): Node | null {
  if (node === null || node.parentNode === parent) return node;
  if (!parent.contains(node)) return null;
  let place: Node = node;
  while (place.parentNode !== null && place.parentNode !== parent) place = place.parentNode;
  return place;
}
