package uk.ac.ox.cs.fdr;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

/** Two traces along one. */
public class SpreadTest {
    private static final long TAU = fdr.TAU;

    @Test
    public void internalStepsAreDoneAlone() {
        together(List.of(TAU, 3L, TAU, TAU, 4L), List.of(3L, TAU, 4L),
                List.of(TAU, 3L, TAU, TAU, 0L, 4L), List.of(0L, 3L, 0L, 0L, TAU, 4L));
    }

    @Test
    public void whatIsLeftStandsAtTheEnd() {
        together(List.of(3L), List.of(3L, 4L, TAU),
                List.of(3L, 0L, 0L), List.of(3L, 4L, TAU));
        together(List.of(), List.of(), List.of(), List.of());
    }

    @Test
    public void placesMoveWithTheirEvents() {
        Spread spread = Spread.together(List.of(3L, TAU), List.of(TAU, 3L))[0];
        assertEquals(1, spread.place(0));
        assertEquals(2, spread.place(1));
        assertEquals(3, spread.place(2));
    }

    private static void together(
            List<Long> first, List<Long> second, List<Long> spreadFirst, List<Long> spreadSecond) {
        Spread[] spreads = Spread.together(first, second);
        assertEquals(spreadFirst, spreads[0].trace(new CompiledEventList(first)));
        assertEquals(spreadSecond, spreads[1].trace(new CompiledEventList(second)));
    }
}
