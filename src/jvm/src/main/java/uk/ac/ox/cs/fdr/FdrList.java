package uk.ac.ox.cs.fdr;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;

/**
 * A list. Those that the library returns cannot be changed; those that a program makes can.
 *
 * @param <E> what is in the list
 */
public abstract class FdrList<E> extends AbstractList<E> implements RandomAccess {
    private final List<E> elements;

    FdrList() {
        elements = new ArrayList<>();
    }

    FdrList(Collection<? extends E> elements) {
        this.elements = Collections.unmodifiableList(new ArrayList<>(elements));
    }

    @Override
    public E get(int index) {
        return elements.get(index);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public E set(int index, E element) {
        return elements.set(index, element);
    }

    @Override
    public void add(int index, E element) {
        elements.add(index, element);
    }

    @Override
    public E remove(int index) {
        return elements.remove(index);
    }
}
