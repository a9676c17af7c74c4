import com.google.gson.Gson;
import doudizhu.v1.CardOuterClass.Card;
import doudizhu.v1.CardOuterClass.Rank;
import doudizhu.v1.CardOuterClass.Suit;
import doudizhu.v1.DecisionServiceGrpc;
import doudizhu.v1.DecisionServiceOuterClass.ClassifyPlayRequest;
import doudizhu.v1.DecisionServiceOuterClass.DecideRequest;
import doudizhu.v1.DecisionServiceOuterClass.RankPlaysRequest;
import doudizhu.v1.DecisionServiceOuterClass.RankedPlay;
import doudizhu.v1.GroupOuterClass.Group;
import doudizhu.v1.SituationOuterClass.Role;
import doudizhu.v1.SituationOuterClass.Situation;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Plays one turn of Dou Dizhu: asks what to play, what else could be played (the hint button), and whether a play is
 * legal. ../README.md tells how to build it and how to run it.
 */
public final class Play {
    private static final List<String> RANKS =
            List.of("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "SJ", "BJ");
    private static final List<String> SUITS = List.of("", "c", "d", "s", "h");

    /** Cards from text such as "9s 9h". */
    private static List<Card> cards(String text) {
        List<Card> cards = new ArrayList<>();
        for (String word : text.split(" ")) {
            Rank rank = Rank.forNumber(3 + RANKS.indexOf(word.substring(0, 1)));
            Suit suit = Suit.forNumber(SUITS.indexOf(word.substring(1)));
            cards.add(Card.newBuilder().setRank(rank).setSuit(suit).build());
        }
        return cards;
    }

    private static String show(Group group) {
        StringBuilder text = new StringBuilder(group.getType().name().replace("GROUP_TYPE_", ""));
        for (Card card : group.getCardsList()) {
            text.append(' ').append(RANKS.get(card.getRankValue() - 3)).append(SUITS.get(card.getSuitValue()));
        }
        return text.toString();
    }

    private static void play(DecisionServiceGrpc.DecisionServiceBlockingStub service) {
        // The landlord has played a pair of eights; the peasant after the landlord is to move.
        var turn = Situation.newBuilder()
                .addAllHand(cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"))
                .setRole(Role.ROLE_PEASANT_AFTER_LANDLORD)
                .addAllToBeat(cards("8c 8d"))
                .setLastPlayer(Role.ROLE_LANDLORD);
        var answer = service.decide(
                DecideRequest.newBuilder().setRequestId("turn-1").setSituation(turn).build());
        System.out.println("play: " + show(answer.getPlay()));
        System.out.println("strategy: " + answer.getStrategy());

        // A hint for a human: the best plays, to be shown one after the other.
        var hint = service.rankPlays(
                RankPlaysRequest.newBuilder().setSituation(turn).setLimit(3).build());
        System.out.println("legal plays: " + hint.getLegalPlays());
        for (RankedPlay ranked : hint.getPlaysList()) {
            System.out.println("  " + show(ranked.getPlay()));
        }

        // Checks what a human wants to put on the table.
        var check = service.classifyPlay(ClassifyPlayRequest.newBuilder()
                .addAllCards(cards("9s 9h"))
                .addAllToBeat(cards("8c 8d"))
                .build());
        System.out.println("check: " + show(check.getGroup()) + (check.getBeats() ? " beats" : " does not beat"));
    }

    /** Plays at the server named by the first argument. */
    public static void main(String[] args) throws Exception {
        String target = args.length > 0 ? args[0] : "localhost:50051";
        // Deadline, retries and round robin over all addresses of target. Every call is safe to retry.
        Map<String, ?> serviceConfig =
                new Gson().<Map<String, ?>>fromJson(Files.readString(Path.of("../service_config.json")), Map.class);
        ManagedChannel channel = ManagedChannelBuilder.forTarget(target)
                .usePlaintext()
                .defaultServiceConfig(serviceConfig)
                .enableRetry()
                .build();
        try {
            play(DecisionServiceGrpc.newBlockingStub(channel));
        } finally {
            channel.shutdownNow();
        }
    }
}
