/**
 * Browsers that translate a page put elements of their own in the place of React's text nodes, and React throws at what is no
 * longer where it was: the whole page would be gone. Such a node is now taken from where it is, or let alone
 * (https://github.com/facebook/react/issues/11538).
 */
export function bearMovedNodes(): void {
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

/** The child of `parent` that a node is or is in; at the end where it is neither. */
function placeIn(parent: Node, node: Node | null): Node | null {
  if (node === null || node.parentNode === parent) return node;
  if (!parent.contains(node)) return null;
  let place: Node = node;
  while (place.parentNode !== null && place.parentNode !== parent) place = place.parentNode;
  return place;
}
