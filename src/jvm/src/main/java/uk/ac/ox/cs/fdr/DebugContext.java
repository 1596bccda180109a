package uk.ac.ox.cs.fdr;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides a counterexample into the behaviours of components.
 *
 * <p>All traces have the same length: what stands at one index happens together. The components of
 * an implementation are all directly below it; a specification is not divided.
 */
public class DebugContext {
    private final BehaviourList roots;
    private final Map<Behaviour, BehaviourList> children = new IdentityHashMap<>();

    /**
     * Divides a counterexample.
     *
     * @param elideUninterestingBehaviours has no effect: compressions have no behaviours here
     */
    public DebugContext(
            RefinementCounterexample counterexample, boolean elideUninterestingBehaviours) {
        Division division = counterexample.division();
        Behaviour specification = division.specification();
        Behaviour implementation = division.implementation();
        Spread[] spreads = Spread.together(implementation.trace(), specification.trace());
        roots = new BehaviourList(List.of(
                add(specification, spreads[1], division.componentsOfSpecification()),
                add(implementation, spreads[0], division.components())));
    }

    /**
     * Divides a counterexample.
     *
     * @param elideUninterestingBehaviours has no effect: compressions have no behaviours here
     */
    public DebugContext(
            PropertyCounterexample counterexample, boolean elideUninterestingBehaviours) {
        Division division = counterexample.division();
        Behaviour behaviour = division.implementation();
        below(behaviour, division.components());
        roots = new BehaviourList(List.of(behaviour));
    }

    /** Does nothing: the behaviours are known. */
    public void initialise(Canceller canceller) {}

    /**
     * The behaviours of the whole: of a refinement, that of the specification and that of the
     * implementation; else one.
     */
    public BehaviourList rootBehaviours() {
        return roots;
    }

    /** The behaviours of the components of a machine whose behaviour this context has returned. */
    public BehaviourList behaviourChildren(Behaviour behaviour) {
        BehaviourList found = children.get(behaviour);
        if (found == null) {
            throw new Error("this is no behaviour that the context has returned");
        }
        return found;
    }

    /** Does nothing: there is nothing to free. */
    public void delete() {}

    /** The behaviour along the longer trace, whose children are known from now on. */
    private Behaviour add(Behaviour whole, Spread spread, List<Behaviour> components) {
        Behaviour root = whole.spread(spread);
        List<Behaviour> spreadComponents = new ArrayList<>();
        components.forEach(component -> spreadComponents.add(component.spread(spread)));
        below(root, spreadComponents);
        return root;
    }

    private void below(Behaviour root, List<Behaviour> components) {
        children.put(root, new BehaviourList(components));
        components.forEach(component -> children.put(component, new BehaviourList(List.of())));
    }
}
