package cspsym.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonParser;
import java.util.List;
import org.junit.Test;

/** The words for what an answer has instead of a result. */
public class AnswerTest {
    private static final String PROBLEM = "{'severity':'%s','code':'c','message':'so it is',"
            + "'places':[{'file':'a.csp','line':3,'column':14}],'notes':[],'hint':%s}";

    @Test
    public void messagesHaveTheirPlaceAndHint() {
        Answer answer = answer(String.format(PROBLEM, "error", "'try this'"));
        assertNull(answer.result());
        assertEquals("a.csp:3:14: so it is (try this)", answer.text());
        assertFalse(answer.isUndecided());
        assertEquals(List.of(), answer.warnings());
    }

    @Test
    public void severitiesAreToldApart() {
        String undecided = String.format(PROBLEM, "undecided", "null");
        String warning = String.format(PROBLEM, "warning", "null");
        Answer answer = answer(undecided + "," + warning);
        assertTrue(answer.isUndecided());
        assertEquals(List.of("a.csp:3:14: so it is"), answer.warnings());
        assertFalse(answer(warning).isUndecided());
    }

    private static Answer answer(String problems) {
        String line = "{'id':1,'result':null,'problems':[" + problems + "]}";
        return new Answer(JsonParser.parseString(line.replace('\'', '"')).getAsJsonObject());
    }
}
